import type { RouteId } from '../../functions/endpoints/definitions.ts';
import { type MAKERS, type Seen, seenIn } from '../histories/exchange.ts';
import { chosen, command, HOSTS, nat, ofOne, ofPlace, pick, placeOf } from './commands.ts';
import { MODELS } from './providers.ts';
import type { Scene } from './scene.ts';
import type { Tenant } from './tenants.ts';

/** A submit, as its caller knows it. */
export interface Order {
  readonly tenant: Tenant;
  readonly body: object;
  readonly idempotencyKey: string | undefined;
}

/** A job or file that its tenant knows. */
export interface Known extends Seen {
  readonly tenant: Tenant;
}

/** What answers to this route have shown, each once. */
export function known({ history, tenants }: Scene, maker: (typeof MAKERS)[number]): Known[] {
  const made = history.filter(({ route }) => route === maker);
  const all = made.flatMap((each) =>
    seenIn(each).flatMap((seen) => {
      const tenant = tenants.find(({ id }) => id === each.tenant);
      return tenant === undefined ? [] : { ...seen, tenant };
    }),
  );
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

/** Asks about a known job, for its tenant or for another one. */
export function askAbout(scene: Scene, route: RouteId, at: number, place?: number): unknown {
  const job = chosen(known(scene, 'submit-video'), at);
  if (job === undefined) return undefined;
  const asker = place === undefined ? job.tenant : scene.tenantIn(place);
  return scene.ask(asker, route, { path: { video: job.id } });
}

/** Orders a job. Each order has its number in all that it leads to, and a word that no other tenant writes. */
function order(
  { orders, tenantIn }: Scene,
  { place, model, idempotent, host }: { place: number; model: string; idempotent: boolean; host?: string },
): Order {
  const tenant = tenantIn(place);
  const name = String(orders.length);
  const body = {
    model,
    prompt: `Order ${name} of ${tenant.word}`,
    metadata: { order: name, by: tenant.word },
    ...(host === undefined ? {} : { callback_url: `https://${host}/${tenant.word}` }),
  };
  const made = { tenant, body, idempotencyKey: idempotent ? `order-${name}` : undefined };
  orders.push(made);
  return made;
}

function send(scene: Scene, { tenant, body, idempotencyKey }: Order): unknown {
  return scene.ask(tenant, 'submit-video', {
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}

export const submit = command(
  'submit',
  24,
  (random) => ({
    place: placeOf(random),
    model: pick(random, MODELS),
    idempotent: random() < 0.6,
    ...(random() < 0.7 ? { host: pick(random, HOSTS) } : {}),
  }),
  (scene, fields) => send(scene, order(scene, fields)),
);
export const cancel = command('cancel', 6, ofOne, (scene, { at }) => askAbout(scene, 'cancel-video', at));
export const list = command('list', 3, ofPlace, ({ ask, tenantIn }, { place }) =>
  ask(tenantIn(place), 'list-videos', {}),
);

/** What tenants do about their jobs. */
export const JOBS = [
  submit,
  command('submit again', 8, ofOne, (scene, { at }) => {
    const sent = chosen(scene.orders, at);
    return sent?.idempotencyKey === undefined ? undefined : send(scene, sent);
  }),
  command(
    'get',
    10,
    (random) => ({ at: nat(random), place: random() < 0.2 ? placeOf(random) : undefined }),
    (scene, { at, place }) => askAbout(scene, 'get-video', at, place),
  ),
  cancel,
  command('delete', 2, ofOne, (scene, { at }) => askAbout(scene, 'delete-video', at)),
  command('redeliver', 3, ofOne, (scene, { at }) => askAbout(scene, 'redeliver-video-webhook', at)),
  command('content', 2, ofOne, (scene, { at }) => askAbout(scene, 'get-video-content', at)),
  list,
];

/** Every tenant asks for all that it knows. */
export async function lookAgain(scene: Scene): Promise<void> {
  for (const { id, tenant } of known(scene, 'submit-video'))
    await scene.ask(tenant, 'get-video', { path: { video: id } });
  const files = known(scene, 'upload-file');
  for (const { id, tenant } of files) await scene.ask(tenant, 'get-file', { path: { file: id } });
  for (const tenant of new Set(files.map((file) => file.tenant))) await scene.ask(tenant, 'list-files', {});
}
