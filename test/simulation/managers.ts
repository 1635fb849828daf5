import * as v from 'valibot';
import { command, ofPlace, pick, placeOf } from './commands.ts';
import { GUARDRAIL } from './guardrails.ts';
import type { Scene } from './scene.ts';
import { PROVIDER_KEYS } from './stored-keys.ts';
import { keySchema, type Tenant } from './tenants.ts';

/** Once the answer arrives, the key is certainly disabled, unless somebody has requested another state meanwhile. */
async function disable({ manage, jobs, now }: Scene, tenant: Tenant, disabled: boolean): Promise<void> {
  const { keyHash: hash } = tenant;
  tenant.keyChanges++;
  const change = tenant.keyChanges;
  jobs.closedKeys.delete(hash);
  const { status } = await manage('update-key', { path: { hash }, body: { disabled } });
  if (status === 200 && disabled && tenant.keyChanges === change) jobs.closedKeys.set(hash, now());
}

/** From now on the tenant has another key, and the old one ends: at once, or a minute later. */
async function replaceKey({ manage, jobs, now, world }: Scene, tenant: Tenant, expires: boolean) {
  const issued = await manage('create-key', { body: { name: 'next', workspace_id: tenant.id } });
  if (issued.status !== 201) return;
  const path = { hash: tenant.keyHash };
  const { key, data } = v.parse(keySchema, issued.body);
  Object.assign(tenant, { key, keyHash: data.hash });
  const end = new Date(now() + 60_000);
  const { status } = expires
    ? await manage('update-key', { path, body: { expires_at: end.toISOString() } })
    : await manage('delete-key', { path });
  if (expires) await world.clock.wait(Math.max(0, end.getTime() + 1_000 - now()));
  if (status === 200) jobs.closedKeys.set(path.hash, now());
}

/** What is done with a management key. */
export const MANAGEMENT = [
  command('recover', 1, ofPlace, ({ manage, tenantIn, begun }, { place }) =>
    manage('recover-webhook-deliveries', {
      path: { workspace: tenantIn(place).id },
      body: { since: begun.toISOString() },
    }),
  ),
  command(
    'rotate secret',
    3,
    (random) => ({ place: placeOf(random), hours: pick(random, [1, 24, 24, 168]) }),
    ({ manage, tenantIn, secrets }, { place, hours }) => {
      const { id: workspace } = tenantIn(place);
      const asking = { path: { workspace }, body: { overlap_hours: hours } };
      return secrets.rotate(workspace, hours * 3_600_000, () => manage('rotate-webhook-secret', asking));
    },
  ),
  command('drop default address', 1, ofPlace, ({ manage, tenantIn }, { place }) =>
    manage('put-workspace-webhook', {
      path: { workspace: tenantIn(place).id },
      body: { default_callback_url: null },
    }),
  ),
  command(
    'budget',
    3,
    (random) => ({
      place: placeOf(random),
      interval: pick(random, ['daily', 'weekly', 'monthly', 'lifetime']),
      byok: random() < 0.5,
      usd: Math.floor(300 * random()) / 100,
    }),
    ({ manage, tenantIn }, { place, interval, byok, usd }) =>
      manage('put-budget', {
        path: { workspace: tenantIn(place).id, interval },
        body: { limit_usd: usd, include_byok_in_budgets: byok },
      }),
  ),
  GUARDRAIL,
  ...PROVIDER_KEYS,
  command(
    'credits',
    1,
    (random) => ({ usd: Math.floor(300 * random()) / 100 + 0.01 }),
    ({ manage }, { usd }) =>
      manage('grant-credits', { body: { amount_usd: usd }, idempotencyKey: `grant-${usd}` }),
  ),
  command(
    'disable key',
    1,
    (random) => ({ place: placeOf(random), disabled: random() < 0.5 }),
    (scene, { place, disabled }) => disable(scene, scene.tenantIn(place), disabled),
  ),
  command(
    'replace key',
    1,
    (random) => ({ place: placeOf(random), expires: random() < 0.4 }),
    (scene, { place, expires }) => replaceKey(scene, scene.tenantIn(place), expires),
  ),
];
