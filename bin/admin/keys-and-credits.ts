import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { OPERATION_GROUPS, UNLIMITED } from '../../functions/http/scope.ts';
import { createManagementKey, issueKey, rotateKey } from '../../functions/keys/create-key.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { newKeySchema } from '../../functions/keys/key-requests.ts';
import { KeyStore, type StoredKey } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { grantCredits } from '../../functions/money/grant-credits.ts';
import { formatUsd, type Micros, micros, usdAmount } from '../../functions/money/micros.ts';
import { plainWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { visible } from '../../local/terminal/text.ts';
import { CommandFailed } from '../cli/cli.ts';
import { keyState } from '../client/keys-and-budgets.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';

export const createManagementKeyCommand = (admin: Admin) =>
  adminCommand(
    'create-management-key',
    'Creates a management key and prints it once. Use this command, for example, to create the first key of a deployment.',
    [
      'create-management-key --stage prod --name "Ada"',
      'create-management-key --stage prod --operations read --networks 203.0.113.0/24',
    ],
  )
    .option('--name <name>', 'display name of the key', 'Management key')
    .option(
      '--operations <names...>',
      `limit the key to some of the operation groups ${OPERATION_GROUPS.join(', ')} (default: all)`,
    )
    .option(
      '--networks <blocks...>',
      'accept the key only from these CIDR blocks (default: from any address)',
    )
    .option('--expires-at <time>', 'time of expiry, such as 2030-01-31T00:00:00Z (default: never)')
    .action(async ({ stage, name, operations = null, networks = null, expiresAt = null }) => {
      const read = v.safeParse(limitsSchema, { scope: { operations, networks }, expires_at: expiresAt });
      if (!read.success) throw new CommandFailed(wrongLimit(read.issues[0]));
      const { scope, expires_at } = read.output;
      if (expires_at !== null && new Date(expires_at) <= admin.now())
        throw new CommandFailed('Invalid --expires-at: must be in the future');
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      const limits = { scope, expiresAt: expires_at };
      admin.print(await createManagementKey(stores, name, admin.now(), admin.random, limits));
    });

const limitsSchema = v.pick(newKeySchema, ['scope', 'expires_at']);

/** A sentence about the option that was given. */
function wrongLimit(issue: v.BaseIssue<unknown>): string {
  const options = ['operations', 'networks', 'expires_at'];
  const name = options.find((each) => issue.path?.some(({ key }) => key === each)) ?? 'scope';
  return `Invalid --${name.replace('_', '-')}: ${issue.message}`;
}

/** A management key for one task; it ends after an hour at the latest. @returns it, and what deletes it */
export async function passingManagementKey(
  deployment: Deployment,
  name: string,
  { now, random }: Pick<Admin, 'now' | 'random'>,
) {
  const stores = keyStores(deployment);
  const limits = { scope: UNLIMITED, expiresAt: new Date(now().getTime() + HOUR).toISOString() };
  const key = await createManagementKey(stores, name, now(), random, limits);
  return { key, end: () => new KeyLives(stores).end(hashKey(key)) };
}

export const listKeysCommand = (admin: Admin) =>
  adminCommand(
    'list-keys',
    'Lists management keys, oldest first, with label, status, last use, name and hash.',
    ['list-keys --all --stage prod', 'list-keys --json'],
  )
    .option('--all', 'include API keys')
    .option('--json', 'print JSON lines with all stored fields of each key')
    .action(async ({ stage, all, json }) => {
      const { client, output } = await admin.open(stage);
      for await (const key of new KeyStore(client, output('KeysTable')).list()) {
        if (!all && key.kind !== 'management') continue;
        admin.print(json ? JSON.stringify(key) : keyLine(key, admin.now()));
      }
    });

function keyLine(key: StoredKey, now: Date): string {
  const lastUsed = key.last_used_at?.slice(0, 16) ?? 'never';
  return [key.label, keyState(key, now).padEnd(8), lastUsed.padEnd(16), key.name, key.hash].join('  ');
}

export const disableKeyCommand = (admin: Admin) =>
  adminCommand(
    'disable-key',
    `Disables an API key or a management key. Genway refuses new jobs and management changes with this key immediately, and all
other requests within 5 seconds. To enable the key again, send PATCH /keys/HASH with {"disabled":false}.
If the deployment requires approvals, you cannot enable a management key again; create another one.`,
    ['disable-key sk-gw-v1-abc...xyz --stage prod'],
  )
    .argument('<hash|label>', 'hash or label of the key')
    .action(async (hashOrLabel, { stage }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      const key = await findKey(stores.keys, hashOrLabel);
      await new KeyLives(stores).change(key.hash, { disabled: true }, admin.now());
      admin.print(`Disabled ${key.label} (${key.name})`);
    });

const MOST_HOURS = 720;
const HOUR = 3_600_000;

export const rotateKeyCommand = (admin: Admin) =>
  adminCommand(
    'rotate-key',
    `Replaces a key: creates one with the same settings and a usage of 0, and prints it once. The old key expires after the
overlap, or earlier if it was to expire earlier. Without an overlap, the old key is disabled immediately. Add the hash of the new key to
lists that contain the hash of the old key, such as allowed_api_key_hashes of a provider key.`,
    ['rotate-key sk-gw-v1-abc...xyz --overlap 24 --stage prod'],
  )
    .argument('<hash|label>', 'hash or label of the key')
    .option('--overlap <hours>', `hours for which both keys work, up to ${MOST_HOURS}`, hours, 0)
    .action(async (hashOrLabel, { stage, overlap }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      const old = await findKey(stores.keys, hashOrLabel);
      const state = keyState(old, admin.now());
      if (state !== 'live')
        throw new CommandFailed(`${old.label} (${visible(old.name)}) is ${state}, so it cannot be rotated`);
      const { limits, counts_byok: countsByok } = await stores.accounts.readOne(keyAccount(old.hash));
      const ports = {
        lives: new KeyLives(stores),
        now: admin.now(),
        random: admin.random,
        money: { limits, countsByok },
      };
      admin.print(await rotateKey(old, overlap * HOUR, ports));
    });

function hours(text: string): number {
  const number = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MOST_HOURS))
    throw new InvalidArgumentError(`It must be a number from 0 to ${MOST_HOURS}, with at most 3 decimals.`);
  return number;
}

const NAME = 'Canary';
const SLUG = 'canary';

export const createCanaryKeyCommand = (admin: Admin) =>
  adminCommand(
    'create-canary-key',
    `Creates an API key for the canary of the stage, in the workspace canary, and disables all other keys of that workspace.
The canary then calls the stage every five minutes. The key is stored in a secret of the stage and never shown. Requires a
stage with the setting canary, and with an edge or a domain.`,
    ['create-canary-key --stage prod'],
  ).action(async ({ stage }) => {
    const deployment = await admin.open(stage);
    const SecretId = deployment.output('CanaryKey');
    const stores = keyStores(deployment);
    const lives = new KeyLives(stores);
    const workspaceId = await ensureWorkspace(stores, admin.now());
    const { key, stored } = issueKey({ ...ITS_KEY, workspaceId }, admin.now(), admin.random);
    await lives.begin(stored, { limits: {}, countsByok: false });
    await deployment.secrets.send(new PutSecretValueCommand({ SecretId, SecretString: key }));
    for await (const { hash, workspace_id, disabled } of stores.keys.list()) {
      if (workspace_id !== workspaceId || disabled || hash === stored.hash) continue;
      await lives.change(hash, { disabled: true }, admin.now());
    }
    admin.print(`The canary now uses the key ${stored.label} of the workspace ${SLUG}`);
  });

const ITS_KEY = {
  kind: 'normal',
  name: NAME,
  creatorUserId: null,
  externalUser: null,
  expiresAt: null,
  rateLimits: {},
  scope: UNLIMITED,
} as const;

async function ensureWorkspace(
  { workspaces, lists }: ReturnType<typeof keyStores>,
  now: Date,
): Promise<string> {
  const found = await workspaces.findBySlug(SLUG);
  if (found !== undefined) return found.id;
  const id = randomUUID();
  const identity = { id, createdBy: 'admin command', now };
  await workspaces.create(plainWorkspace({ name: NAME, slug: SLUG }, identity), lists);
  return id;
}

export const grantCreditsCommand = (admin: Admin) =>
  adminCommand(
    'grant-credits',
    `Grants credits to the deployment and prints the total of all grants. At most 30 seconds after the
first grant, Genway starts to refuse jobs whose maximum cost exceeds the remaining credits. Jobs that can run only on a workspace's own
provider keys need no credits.`,
    ['grant-credits 1000 --note "First quarter" --stage prod'],
  )
    .argument('<usd>', 'amount in USD', amount)
    .option('--note <note>', 'note to store with the grant')
    .action(async (granted, { stage, note = null }) => {
      const { client, output } = await admin.open(stage);
      const grant = { micros: granted, note, grantedBy: 'admin command' };
      const accounts = new AccountStore(client, output('AccountsTable'));
      const ports = { client, accounts, now: admin.now, newId: randomUUID };
      const { limits } = await grantCredits(grant, () => ({}), ports);
      admin.print(`${formatUsd(limits.lifetime?.micros ?? micros(0))} granted in total`);
    });

export function amount(text: string): Micros {
  const result = v.safeParse(usdAmount('more than zero'), text.trim() === '' ? Number.NaN : Number(text));
  if (!result.success) throw new InvalidArgumentError(`It ${result.issues[0].message}.`);
  return result.output;
}

/** Finds a key by its hash, or by its label if no other key has the same. Never by the key itself. */
export async function findKey(keys: Pick<KeyStore, 'list'>, hashOrLabel: string): Promise<StoredKey> {
  const found: StoredKey[] = [];
  for await (const key of keys.list()) {
    if (key.hash === hashOrLabel || key.label === hashOrLabel) found.push(key);
  }
  const [key, ...others] = found;
  if (key === undefined) {
    throw new CommandFailed(
      'No key has that hash or label; to list all keys, run npx genway admin list-keys --all for the same stage',
    );
  }
  if (others.length > 0) {
    const hashes = found.map(({ hash }) => `  ${hash}`).join('\n');
    throw new CommandFailed(`Several keys have that label; give the hash of one:\n${hashes}`);
  }
  return key;
}

/** The stores that a change of a key writes to. */
const keyStores = ({ client, output }: Deployment) => ({
  keys: new KeyStore(client, output('KeysTable')),
  accounts: new AccountStore(client, output('AccountsTable')),
  guardrails: new GuardrailStore(client, output('GuardrailsTable')),
  workspaces: new WorkspaceStore(client, output('WorkspacesTable')),
  lists: new ListStore(client, output('ListsTable'), randomUUID),
});
