import { createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { kmsDerivation } from '../../functions/aws/derive-bytes.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { createManagementKey } from '../../functions/keys/create-key.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { deploymentKey, derivedSecrets, keySet } from '../../functions/webhooks/signature.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import type { AwsWorld } from '../engines/index.ts';
import type { Gateway } from './callers.ts';
import type { Cloud } from './cloud.ts';
import { HOSTS, PLACES } from './commands.ts';

/** A workspace, and the key of its callers. */
export interface Tenant {
  readonly id: string;
  /** In all that its callers write, and in nothing else that is written. */
  readonly word: string;
  /** Replaced from time to time. */
  key: string;
  keyHash: string;
  /** How often somebody has asked to close or open its key. */
  keyChanges: number;
  /** Its webhook secrets, more than it will ever rotate to. */
  readonly secrets: readonly KeyObject[];
}

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
export const keySchema = v.object({ key: v.string(), data: v.object({ hash: v.string() }) });

/** How many versions of a secret the simulation computes. */
const VERSIONS = 12;

export interface OpenedStage {
  readonly management: string;
  /** All that there ever were. */
  readonly tenants: Tenant[];
  /** Adds a tenant, unless a request fails. */
  readonly open: () => Promise<Tenant | undefined>;
}

/** Sets up a stage with its tenants while nothing fails. */
export async function openStage(
  cloud: Cloud,
  gateway: Gateway,
  world: AwsWorld,
  random: () => number,
): Promise<OpenedStage> {
  const management = await firstKey(cloud, world, random);
  const { kms } = world.startProcess('observer');
  const derive = kmsDerivation(kms, cloud.stage.name('Webhooks-SigningKey'));
  const derived = derivedSecrets(derive);
  cloud.stage.foundOut.WebhookKeys = JSON.stringify(keySet(await deploymentKey(derive)));
  const tenants: Tenant[] = [];
  let opened = 0;
  const open = async () => {
    const at = opened++;
    const word = `word${at}of-tenant`;
    const manage = async (route: Parameters<Gateway['ask']>[0], asking: object) =>
      (await gateway.ask(route, { key: management, ...asking })).body;
    const created = await manage('create-workspace', { body: { name: word, slug: word } });
    if (!v.is(workspaceSchema, created)) return undefined;
    const { id } = created.data;
    const limit = random() < 0.5 ? { limit: 4 } : {};
    const issued = await manage('create-key', { body: { name: word, workspace_id: id, ...limit } });
    if (!v.is(keySchema, issued)) return undefined;
    const url = `https://${HOSTS[at % HOSTS.length]}/default-of-${word}`;
    await manage('put-workspace-webhook', { path: { workspace: id }, body: { default_callback_url: url } });
    const versions = Array.from({ length: VERSIONS }, (_, version) => version + 1);
    const secrets = await Promise.all(
      versions.map((version) => derived.secret(id, version).then(createSecretKey)),
    );
    const tenant = { id, word, key: issued.key, keyHash: issued.data.hash, keyChanges: 0, secrets };
    tenants.push(tenant);
    return tenant;
  };
  while (tenants.length < PLACES) await open();
  return { management, tenants, open };
}

function firstKey({ stage }: Cloud, world: AwsWorld, random: () => number): Promise<string> {
  const { dynamo } = world.startProcess('observer');
  const {
    KEYS_TABLE = '',
    ACCOUNTS_TABLE = '',
    WORKSPACES_TABLE = '',
    GUARDRAILS_TABLE = '',
    LISTS_TABLE = '',
  } = stage.environment('create-key');
  const stores = {
    keys: new KeyStore(dynamo, KEYS_TABLE),
    accounts: new AccountStore(dynamo, ACCOUNTS_TABLE),
    workspaces: new WorkspaceStore(dynamo, WORKSPACES_TABLE),
    guardrails: new GuardrailStore(dynamo, GUARDRAILS_TABLE),
    lists: new ListStore(dynamo, LISTS_TABLE, () => `block-${random()}`),
  };
  return createManagementKey(stores, 'owner', world.clock.now(), (size) =>
    Uint8Array.from({ length: size }, () => 256 * random()),
  );
}
