import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenKeyPorts, openAccountKey } from '../../../functions/files/providers/account-keys.ts';
import { createAuthenticator } from '../../../functions/gate/authentication.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { issueKey, type KeyRequest } from '../../../functions/keys/create-key.ts';
import type { StoredKey } from '../../../functions/keys/key-store.ts';
import type { StoredProviderKey } from '../../../functions/provider-keys/provider-key.ts';
import { ProviderSecrets } from '../../../functions/provider-keys/provider-secrets.ts';
import { sealSecret } from '../../../functions/provider-keys/secret-box.ts';
import { AwsWorld, faultAt } from '../../engines/index.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';

const MINE = '11111111-1111-4111-8111-111111111111';
const THEIRS = '22222222-2222-4222-8222-222222222222';
const NOBODYS = '33333333-3333-4333-8333-333333333333';
const secretOf = (workspace: string, provider: string) => `sk-${provider}-of-${workspace}`;

let world: AwsWorld;
let ports: OpenKeyPorts;
let logged: string[];
let callers: Map<string, StoredKey>;
let rows: StoredProviderKey[];
let add: (fields?: Partial<StoredProviderKey>) => Promise<void>;

beforeEach(async () => {
  world = new AwsWorld();
  const { kms } = world.startProcess();
  const { now } = world.clock;
  const kmsKeyId = world.kms.createKey('ENCRYPT_DECRYPT', 'key');
  rows = [];
  logged = [];
  callers = new Map();
  const reader = { find: async (hash: string) => callers.get(hash) };
  const authenticator = createAuthenticator({
    keys: reader,
    sessions: { find: async () => undefined },
    uses: { record: () => undefined },
    now,
  });
  const write = (...line: unknown[]) => logged.push(JSON.stringify(line));
  ports = {
    authenticate: (authorization) => authenticator.authenticate({ authorization }, 'key'),
    workspaces: {
      findById: async (id) => (id === NOBODYS ? undefined : { id }),
      findBySlug: async () => undefined,
    },
    keys: new ProviderSecrets({ store: { list: rowsOf }, kms, kmsKeyId, now }),
    log: { info: write, warn: write, error: write },
  };
  add = async (fields) => {
    const row = aKeyOfMine(fields);
    const secret = secretOf(row.workspace_id, row.provider);
    rows.push({ ...row, ciphertext: await sealSecret(kms, kmsKeyId, row, secret) });
  };
});

async function* rowsOf(workspaceId: string) {
  yield* rows.filter(({ workspace_id }) => workspace_id === workspaceId);
}

const aKeyOfMine = (fields: Partial<StoredProviderKey> = {}): StoredProviderKey =>
  aProviderKey(crypto.randomUUID(), {
    ...{ workspace_id: MINE, provider: 'openai', label: 'sk-…mine' },
    ...fields,
  });

/** Creates a key, by default for my own workspace, and returns its `Authorization` header. */
function caller(request: Partial<KeyRequest> = {}, change: Partial<StoredKey> = {}): string {
  const { key, stored } = issueKey(
    {
      kind: 'normal',
      name: 'test',
      workspaceId: MINE,
      creatorUserId: null,
      externalUser: null,
      expiresAt: null,
      rateLimits: {},
      scope: UNLIMITED,
      ...request,
    },
    world.clock.now(),
    randomBytes,
  );
  callers.set(stored.hash, { ...stored, ...change });
  return `Bearer ${key}`;
}

const ask = (authorization: string, workspaceId = MINE, provider = 'openai', more: object = {}) =>
  openAccountKey({ ...more, authorization, workspaceId, provider }, ports);
const opened = (workspace: string, provider = 'openai') => ({
  outcome: 'opened',
  apiKey: secretOf(workspace, provider),
});

describe('a key for a file provider is decrypted', () => {
  beforeEach(async () => {
    for (const workspace_id of [MINE, THEIRS]) {
      for (const provider of ['openai', 'anthropic', 'fal']) await add({ workspace_id, provider });
    }
  });

  test('of the one provider that is named, for a key of its workspace', async () => {
    expect(await ask(caller())).toEqual(opened(MINE));
    expect(await ask(caller(), MINE, 'anthropic')).toEqual(opened(MINE, 'anthropic'));
  });

  test('of any existing workspace, for a management key', async () => {
    const manager = caller({ kind: 'management' });
    expect(await ask(manager, THEIRS)).toEqual(opened(THEIRS));
    expect(await ask(manager, NOBODYS)).toEqual({ outcome: 'foreign' });
  });

  test('only of the caller’s workspace, whatever else the request claims', async () => {
    const claims = { principal: { kind: 'management', workspaceId: THEIRS }, kind: 'management' };
    expect(await ask(caller(), THEIRS, 'openai', claims)).toEqual({ outcome: 'foreign' });
    expect(await ask(caller(), 'theirs')).toEqual({ outcome: 'foreign' });
  });

  test.each<[string, () => string]>([
    ['nobody', () => ''],
    ['somebody unknown', () => `Bearer sk-gw-v1-${'0'.repeat(64)}`],
    ['a key that is disabled', () => caller({}, { disabled: true })],
    ['a key that has expired', () => caller({}, { expires_at: '2020-01-01T00:00:00Z' })],
    ['a key by its hash', () => caller({}) && `Bearer ${[...callers.keys()][0]}`],
  ])('not for %s', async (_, authorization) => {
    expect(await ask(authorization())).toEqual({ outcome: 'unauthenticated' });
    expect(world.journal.calls.filter(({ operation }) => operation === 'Decrypt')).toEqual([]);
  });

  test.each([
    ['a provider of videos', { authorization: 'Bearer planted', workspaceId: MINE, provider: 'fal' }],
    ['no provider', { authorization: 'Bearer planted', workspaceId: MINE }],
    ['no credential', { workspaceId: MINE, provider: 'openai' }],
    ['a credential that is no text', { authorization: ['Bearer planted'], workspaceId: MINE, provider: 'x' }],
    ['nothing', undefined],
  ])('not for a request of %s, which is shown nowhere', async (_, request) => {
    const failure = await openAccountKey(request, ports).catch((error: unknown) => error);
    expect(failure).toEqual(new Error('A request to open a provider key is malformed'));
    expect(Object.keys(failure as object)).toEqual([]);
    expect((failure as Error).cause).toBeUndefined();
  });

  test('and no credential or key is logged with a refusal', async () => {
    const authorization = caller();
    await ask(authorization, THEIRS);
    await ask(`${authorization}x`);
    expect(logged).toHaveLength(2);
    expect(logged.join()).toContain('"outcome":"foreign"');
    expect(logged.join()).not.toContain(authorization.slice('Bearer '.length));
    expect(logged.join()).not.toContain('sk-openai');
  });
});

test('a provider key that is reserved for another key of the workspace is not opened', async () => {
  const authorization = caller();
  await add({ allowed_api_key_hashes: ['another'] });
  expect(await ask(authorization)).toEqual({ outcome: 'none' });
  const [hash = ''] = callers.keys();
  await add({ allowed_api_key_hashes: [hash] });
  expect(await ask(authorization)).toEqual(opened(MINE));
});

test('if AWS is busy, the error says so', async () => {
  await add();
  world.faults = faultAt({ operation: 'Decrypt' }, 'throttled');
  expect(await ask(caller())).toEqual({ outcome: 'busy' });
});

test('a ciphertext of another workspace cannot be decrypted under another name', async () => {
  await add({ workspace_id: THEIRS });
  rows.push({ ...rows[0]!, workspace_id: MINE });
  await expect(ask(caller())).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  });
});
