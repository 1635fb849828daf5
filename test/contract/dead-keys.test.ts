import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import type { StoredFile } from '../../functions/files/file.ts';
import { FileStore } from '../../functions/files/file-store.ts';
import { callerConditions } from '../../functions/files/upload/receive-file.ts';
import { createAuthenticator } from '../../functions/gate/authentication.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { PaymentRequired, PermissionDenied, Unauthenticated } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import type { ListStore } from '../../functions/lists/list-store.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { withLimit } from '../../functions/money/account-update.ts';
import { micros } from '../../functions/money/micros.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { createTable } from '../engines/conformance/index.ts';
import { storedKey } from '../keys/stored-key.ts';
import { dynamo } from './aws.ts';
import { JobLedger } from './job-ledger.ts';

const CENT = 10_000;
const HOUR = 3_600_000;
const AT_ONCE = 200;

let ledger: JobLedger;
let stores: {
  keys: KeyStore;
  accounts: AccountStore;
  workspaces: WorkspaceStore;
  guardrails: GuardrailStore;
  lists: Pick<ListStore, 'write'>;
};
let lives: KeyLives;
beforeAll(async () => {
  ledger = await JobLedger.create(dynamo);
  const [keys, workspaces, guardrails] = await Promise.all(
    ['hash', 'pk', 'id'].map((key) => createTable(dynamo, key)),
  );
  stores = {
    keys: new KeyStore(dynamo, keys ?? ''),
    accounts: new AccountStore(dynamo, ledger.tables.accounts),
    workspaces: new WorkspaceStore(dynamo, workspaces ?? ''),
    guardrails: new GuardrailStore(dynamo, guardrails ?? ''),
    lists: { write: (items) => transact(dynamo, items) },
  };
  lives = new KeyLives(stores);
});

const later = (milliseconds: number) => new Date(ledger.now.getTime() + milliseconds);

/** A workspace with a key that this process's authenticator and account book have just used. */
async function aCaller({ expiresAt = null }: { expiresAt?: string | null } = {}) {
  const workspaceId = crypto.randomUUID();
  const workspace = { ...defaultWorkspace(ledger.now, 'test'), id: workspaceId, slug: workspaceId };
  await stores.workspaces.create(workspace, stores.lists);
  const { key, stored } = issueKey(
    {
      kind: 'normal',
      name: 'Caller',
      workspaceId,
      creatorUserId: null,
      externalUser: null,
      expiresAt,
      rateLimits: {},
      scope: UNLIMITED,
    },
    ledger.now,
    randomBytes,
  );
  await lives.begin(stored, { limits: {}, countsByok: false });
  const authenticator = createAuthenticator({
    keys: stores.keys,
    sessions: { find: async () => undefined },
    uses: { record: () => undefined },
    now: () => ledger.now,
  });
  const submit = async () => {
    await authenticator.authenticate({ authorization: `Bearer ${key}` }, 'key');
    return ledger.accept({ key: stored.hash, workspace: workspaceId }, CENT);
  };
  await submit();
  return { hash: stored.hash, workspaceId, submit, account: keyAccount(stored.hash) };
}

/** Submits two hundred jobs at once and returns how many were accepted. All others must fail with this error. */
async function acceptedOf(submit: () => Promise<unknown>, refusal: new (message: string) => Error) {
  const submits = await Promise.allSettled(Array.from({ length: AT_ONCE }, submit));
  for (const each of submits) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(refusal);
  return submits.filter(({ status }) => status === 'fulfilled').length;
}

describe('a key that a warm function still remembers as valid', () => {
  test('spends nothing once it is deleted', async () => {
    const caller = await aCaller();
    expect(await lives.end(caller.hash)).toBe(true);
    expect(await acceptedOf(caller.submit, Unauthenticated)).toBe(0);
    await expect(caller.submit()).rejects.toThrow('Invalid API key');
    expect(await ledger.account(caller.account)).toMatchObject({ open_jobs: 1, reserved: CENT });
  });

  test('spends nothing while it is disabled, and works at once when it is enabled', async () => {
    const caller = await aCaller();
    await lives.change(caller.hash, { disabled: true }, ledger.now);
    expect(await acceptedOf(caller.submit, Unauthenticated)).toBe(0);
    await lives.change(caller.hash, { disabled: false }, ledger.now);
    await caller.submit();
    expect(await ledger.account(caller.account)).toMatchObject({ open_jobs: 2 });
  });

  test('spends nothing once it has expired, even if its expiry was changed', async () => {
    const end = later(2 * HOUR);
    const caller = await aCaller({ expiresAt: end.toISOString() });
    await lives.change(caller.hash, { expires_at: later(1).toISOString() }, ledger.now);
    await caller.submit();
    ledger.now = later(1);
    expect(await acceptedOf(caller.submit, Unauthenticated)).toBe(0);
    await lives.change(caller.hash, { expires_at: null }, ledger.now);
    await caller.submit();
  });

  test('spends nothing above a limit that was lowered', async () => {
    const caller = await aCaller();
    const limitsOf = (account: Parameters<typeof withLimit>[0]) => ({
      limits: withLimit(account, 'lifetime', micros(3 * CENT), ledger.now),
      countsByok: false,
    });
    await lives.change(caller.hash, {}, ledger.now, limitsOf);
    expect(await acceptedOf(caller.submit, PaymentRequired)).toBe(2);
  });

  test('that is deleted during submits has spent exactly what was accepted until then', async () => {
    const caller = await aCaller();
    let isDeleted = false;
    const work = async () => {
      let [before, after] = [0, 0];
      for (let tries = 0; tries < 5; tries += isDeleted ? 1 : 0) {
        const wasDeleted = isDeleted;
        const accepted = await caller.submit().then(
          () => 1,
          () => 0,
        );
        if (wasDeleted) after += accepted;
        else before += accepted;
      }
      return { before, after };
    };
    const workers = Array.from({ length: 10 }, work);
    await lives.end(caller.hash);
    isDeleted = true;
    const done = await Promise.all(workers);
    expect(done.map(({ after }) => after)).toEqual(done.map(() => 0));
    const open_jobs = 1 + done.reduce((sum, { before }) => sum + before, 0);
    expect(await ledger.account(caller.account)).toMatchObject({ open_jobs });
  });
});

test('a key is created only once', async () => {
  const { hash, workspaceId } = await aCaller();
  const again = storedKey({ hash, workspace_id: workspaceId });
  await expect(lives.begin(again, { limits: {}, countsByok: false })).rejects.toThrow(/already/);
  expect(await stores.workspaces.findById(workspaceId)).toMatchObject({ live_keys: 1 });
});

describe('a file', () => {
  let files: FileStore;
  beforeAll(async () => {
    files = new FileStore(
      dynamo,
      await createTable(dynamo, 'workspace_id', { sortKey: 'id' }),
      () => new Date(),
    );
  });

  const store = async ({ hash, workspaceId }: { hash: string; workspaceId: string }): Promise<void> => {
    const file: StoredFile = {
      id: `gw_file_${crypto.randomUUID()}`,
      workspace_id: workspaceId,
      filename: 'a.txt',
      mime_type: 'text/plain',
      size_bytes: 4,
      purpose: 'user_data',
      created_at: ledger.now.toISOString(),
    };
    await files.announce(file);
    await files.create(file, 100, callerConditions({ keyHash: hash, workspaceId }, stores, ledger.now));
  };

  test.each<[string, (hash: string) => Promise<unknown>]>([
    ['deleted', (hash) => lives.end(hash)],
    ['disabled', (hash) => lives.change(hash, { disabled: true }, ledger.now)],
    ['expired', (hash) => lives.change(hash, { expires_at: ledger.now.toISOString() }, ledger.now)],
  ])('is not stored for a key that is %s before its upload ends', async (_, kill) => {
    const caller = await aCaller();
    await store(caller);
    await kill(caller.hash);
    await expect(store(caller)).rejects.toThrow(Unauthenticated);
    const kept = await files.list(caller.workspaceId, { after: undefined, limit: 10 });
    expect(kept.files).toHaveLength(1);
  });

  test('is not stored in a workspace that does not exist', async () => {
    const { hash } = await aCaller();
    const workspaceId = crypto.randomUUID();
    await expect(store({ hash, workspaceId })).rejects.toThrow(PermissionDenied);
    const kept = await files.list(workspaceId, { after: undefined, limit: 10 });
    expect(kept.files).toEqual([]);
  });
});
