import { describe, expect, test } from '@jest/globals';
import { NotFound, PermissionDenied } from '../../functions/http/errors.ts';
import { actedIn, OPERATION_GROUPS, type Scope, UNLIMITED } from '../../functions/http/scope.ts';
import { assertEndsInTime, assertMayManage, maySee, scopeOfNew } from '../../functions/keys/key-scope.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import { storedKey } from './stored-key.ts';

const maker = (scope: Partial<Scope> = {}, endsAt: string | null = null) => ({
  keyHash: 'mine',
  kind: 'management' as const,
  workspaceId: scope.workspaces?.[0] ?? 'default',
  scope: { ...UNLIMITED, ...scope },
  endsAt,
});

const SOON = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-01T00:00:00.001Z';

const made = (
  by: ReturnType<typeof maker>,
  asked: Partial<Scope> = {},
  { kind = 'management', workspace_id = by.workspaceId, expires_at = null }: Partial<StoredKey> = {},
) => scopeOfNew({ kind, workspace_id, expires_at, scope: { ...UNLIMITED, ...asked } }, by);

const refused = (path: string) => expect.objectContaining({ name: 'PermissionDenied', metadata: { path } });

test('the log names the workspace of a key that is seen or made, not one that it may also act in', () => {
  const workspaces = ['w1', 'w2'];
  const scope = { ...UNLIMITED, workspaces };
  const seen = maker({ workspaces });
  expect(maySee(seen, storedKey({ kind: 'management', workspace_id: 'w1', scope }))).toBe(true);
  const creator = maker({ workspaces });
  made(creator, scope, { workspace_id: 'w1' });
  expect([actedIn(seen), actedIn(creator)]).toEqual(['w1', 'w1']);
});

describe('a new key', () => {
  test('of an unlimited key is limited as asked', () => {
    expect(made(maker())).toEqual(UNLIMITED);
    const asked = { workspaces: ['w'], operations: ['read'], networks: ['::/0'] } as const;
    expect(made(maker(), asked)).toEqual(asked);
  });

  test('has what the key has that makes it, if it asks for nothing', () => {
    const own = { workspaces: ['w1', 'w2'], operations: ['keys', 'read'], networks: ['10.0.0.0/8'] } as const;
    expect(made(maker(own))).toEqual({ ...own, operations: ['read', 'keys'] });
    expect(made(maker(own), {}, { kind: 'normal' })).toEqual({
      workspaces: null,
      operations: ['read'],
      networks: ['10.0.0.0/8'],
    });
  });

  test('may have less', () => {
    const by = maker({ workspaces: ['w1', 'w2'], operations: ['keys', 'read'], networks: ['10.0.0.0/8'] });
    const less = { workspaces: ['w2'], operations: ['read'], networks: ['10.1.0.0/16'] } as const;
    expect(made(by, less, { workspace_id: 'w2' })).toEqual(less);
  });

  test.each(OPERATION_GROUPS)('has the operations `%s` only of a key that has them', (group) => {
    const others = OPERATION_GROUPS.filter((each) => each !== group);
    expect(() => made(maker({ operations: others }), { operations: [group] })).toThrow(
      refused('scope.operations'),
    );
    expect(made(maker({ operations: others })).operations).not.toContain(group);
  });

  test.each<[Partial<Scope>, Partial<Scope>, string]>([
    [{ workspaces: ['w1'] }, { workspaces: ['w1', 'w2'] }, 'scope.workspaces'],
    [{ networks: ['10.0.0.0/8'] }, { networks: ['10.0.0.0/8', '11.0.0.0/8'] }, 'scope.networks'],
    [{ networks: ['10.0.0.0/8'] }, { networks: ['0.0.0.0/0'] }, 'scope.networks'],
    [{ operations: ['keys'] }, { operations: ['keys', 'read'] }, 'scope.operations'],
  ])('of a key with %j never has %j', (own, asked, path) => {
    expect(() => made(maker(own), asked)).toThrow(refused(path));
  });

  test('is in a workspace of the key that makes it', () => {
    const by = maker({ workspaces: ['w1'] });
    for (const kind of ['normal', 'management'] as const) {
      expect(() => made(by, {}, { kind, workspace_id: 'w2' })).toThrow(refused('workspace_id'));
    }
  });

  test('that could do nothing is not made', () => {
    expect(() => made(maker({ operations: ['keys'] }), {}, { kind: 'normal' })).toThrow(
      refused('scope.operations'),
    );
  });

  test('ends no later than the key that makes it', () => {
    const by = maker({}, SOON);
    expect(made(by, {}, { expires_at: SOON })).toEqual(UNLIMITED);
    for (const expires_at of [LATER, null]) {
      expect(() => made(by, {}, { expires_at })).toThrow(refused('expires_at'));
    }
  });
});

describe('a change of an end', () => {
  test('is no later than that of the key that asks', () => {
    for (const within of [SOON, undefined]) {
      expect(() => assertEndsInTime(maker({}, SOON), within)).not.toThrow();
    }
    for (const after of [LATER, null]) {
      expect(() => assertEndsInTime(maker({}, SOON), after)).toThrow(refused('expires_at'));
      expect(() => assertEndsInTime(maker(), after)).not.toThrow();
    }
  });
});

describe('a limited key', () => {
  const scoped = (scope: Partial<Scope>, fields: Partial<StoredKey> = {}) =>
    storedKey({ workspace_id: 'w1', scope: { ...UNLIMITED, ...scope }, ...fields });
  const manages = (scope: Partial<Scope>, key: StoredKey | undefined) =>
    assertMayManage(maker(scope), key?.hash ?? 'none', async () => key);

  test('manages keys that may do nothing that it may not', async () => {
    const operations = ['keys', 'read', 'content', 'generate', 'webhooks'] as const;
    expect(await manages({ workspaces: ['w1'], operations }, scoped({}))).toBe('w1');
    await manages({ operations: ['keys', 'read'] }, scoped({ operations: ['read'] }));
    await manages({ workspaces: ['w1'] }, scoped({ workspaces: ['w1'] }, { kind: 'management' }));
    await manages({ networks: ['10.0.0.0/8'] }, scoped({}));
  });

  test.each<[Partial<Scope>, StoredKey]>([
    [{ operations: ['keys'] }, scoped({})],
    [{ operations: ['keys'] }, scoped({ operations: ['read'] })],
    [{ operations: ['keys', 'read', 'content'] }, scoped({}, { kind: 'management' })],
  ])('with %j manages no key that may do more', async (scope, key) => {
    await expect(manages(scope, key)).rejects.toThrow(PermissionDenied);
  });

  test.each<StoredKey | undefined>([
    undefined,
    scoped({}, { workspace_id: 'w2' }),
    scoped({}, { kind: 'management' }),
    scoped({ workspaces: ['w1', 'w2'] }, { kind: 'management' }),
  ])('learns nothing of a key outside of its workspaces', async (key) => {
    await expect(manages({ workspaces: ['w1'] }, key)).rejects.toThrow(NotFound);
    if (key !== undefined) expect(maySee(maker({ workspaces: ['w1'] }), key)).toBe(false);
  });

  test('does not change itself', async () => {
    const own = scoped({}, { hash: 'mine' });
    await expect(manages({ networks: ['10.0.0.0/8'] }, own)).rejects.toThrow('cannot update itself');
  });

  test('costs a read that an unlimited one does not cost', async () => {
    const fail = () => Promise.reject(new Error('read'));
    expect(await assertMayManage(maker(), 'mine', fail)).toBeUndefined();
    await expect(assertMayManage(maker({ networks: ['::/0'] }), 'h', fail)).rejects.toThrow('read');
  });
});
