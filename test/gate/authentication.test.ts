import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAuthenticator } from '../../functions/gate/authentication.ts';
import { PermissionDenied, Unauthenticated } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { issueKey, type KeyRequest } from '../../functions/keys/create-key.ts';
import { generateKey, hashKey } from '../../functions/keys/key-format.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import type { StoredSession } from '../../functions/keys/session-store.ts';
import { anyText } from '../any-text.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

function setUp(change: Partial<KeyRequest> = {}, stored: Partial<StoredKey> = {}) {
  const request: KeyRequest = {
    kind: 'normal',
    name: 'test',
    workspaceId: 'ws-1',
    creatorUserId: null,
    externalUser: null,
    expiresAt: null,
    rateLimits: {},
    scope: UNLIMITED,
    ...change,
  };
  const issued = issueKey(request, NOW, randomBytes);
  const rows = new Map([[issued.stored.hash, { ...issued.stored, ...stored }]]);
  const clock = { now: NOW };
  const reads: string[] = [];
  const reader = {
    find: async (hash: string) => {
      reads.push(hash);
      return rows.get(hash);
    },
  };
  const uses: string[] = [];
  const recorder = { record: ({ hash }: StoredKey) => void uses.push(hash) };
  const sessions = new Map<string, StoredSession>();
  const authenticator = createAuthenticator({
    keys: reader,
    sessions: { find: async (hash) => sessions.get(hash) },
    uses: recorder,
    now: () => clock.now,
  });
  const begin = (): string => {
    const token = generateKey('session', randomBytes);
    const hash = hashKey(token);
    sessions.set(hash, {
      hash,
      key_hash: issued.stored.hash,
      created_at: NOW.toISOString(),
      valid_until: '2026-01-01T00:15:00.000Z',
      ends_at: '2026-01-01T12:00:00.000Z',
    });
    return token;
  };
  return {
    key: issued.key,
    hash: issued.stored.hash,
    rows,
    sessions,
    begin,
    clock,
    reads,
    uses,
    authenticator,
  };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('authentication', () => {
  test('accepts a valid key as a bearer token, in any case of the scheme, or as x-api-key', async () => {
    const { key, authenticator } = setUp();
    for (const headers of [
      bearer(key),
      { authorization: `bEARER  ${key}` },
      { 'x-api-key': key },
      { authorization: '', 'x-api-key': key },
    ]) {
      const principal = await authenticator.authenticate(headers, 'key');
      expect(principal).toMatchObject({ kind: 'normal', workspaceId: 'ws-1' });
    }
  });

  test.each([null, 'guardrail-1'])('says which guardrail the key names: %s', async (guardrailId) => {
    const { key, authenticator } = setUp({ guardrailId });
    expect(await authenticator.authenticate(bearer(key), 'key')).toMatchObject({ guardrailId });
  });

  test('prefers Authorization to x-api-key', async () => {
    const { key, authenticator } = setUp();
    const headers = { authorization: 'Bearer wrong', 'x-api-key': key };
    await expect(authenticator.authenticate(headers, 'key')).rejects.toThrow('Invalid API key');
  });

  test('says that a credential is missing, and gives the same response to all wrong ones', async () => {
    const { authenticator } = setUp();
    for (const headers of [{}, { authorization: '' }, { authorization: '', 'x-api-key': '' }]) {
      await expect(authenticator.authenticate(headers, 'key')).rejects.toThrow(
        'Missing Authentication header; send Authorization: Bearer <your API key>',
      );
    }
    const unknown = setUp().key;
    for (const value of [`Bearer ${unknown}`, 'Bearer', `Bearer ${'a'.repeat(300)}`, 'Bearer a b']) {
      await expect(authenticator.authenticate({ authorization: value }, 'key')).rejects.toThrow(
        new Unauthenticated('Invalid API key'),
      );
    }
  });

  test('says that the word Bearer is missing, of a live key and of anything else alike', async () => {
    const { key, authenticator, reads } = setUp();
    for (const authorization of [key, setUp().key, 'Basic abc', `Bearer${key}`, 'a'.repeat(300)]) {
      await expect(authenticator.authenticate({ authorization }, 'key')).rejects.toThrow(
        new Unauthenticated(
          'The Authorization header has no Bearer token; send Authorization: Bearer <your API key>',
        ),
      );
    }
    expect(reads).toEqual([]);
  });

  describe('accepts one bearer token of visible ASCII, and nothing else', () => {
    const { key, reads, authenticator } = setUp();
    const values: [string, string][] = [
      ['another scheme', `Basic ${key}`],
      ['a scheme that begins alike', `BearerX ${key}`],
      ['no scheme', key],
      ['a scheme alone', 'Bearer '],
      ['no blank', `Bearer${key}`],
      ['a tab', `Bearer\t${key}`],
      ['a blank before', ` Bearer ${key}`],
      ['a blank after', `Bearer ${key} `],
      ['two tokens', `Bearer ${key} ${key}`],
      ['two in a list', `Bearer ${key}, Bearer ${key}`],
      ['quotes', `Bearer "${key}"`],
      ['a line break', `Bearer ${key}\r\n`],
      ['a NUL', `Bearer ${key}\0`],
      ['a letter of another alphabet', `Bearer ${key.slice(0, -1)}а`],
      ['full-width letters', `Bearer ｓ${key.slice(1)}`],
      ['another case of the key', `Bearer ${key.toUpperCase()}`],
      ['a comment', `Bearer ${key};a=b`],
      ['percent-encoding', `Bearer %73${key.slice(1)}`],
      ['64 KB', `Bearer ${'a'.repeat(65_536)}`],
      ['64 KB of blanks', `Bearer ${' '.repeat(65_536)}${key}`],
    ];

    test.each(values)('%s is refused without a read', async (_, authorization) => {
      await expect(authenticator.authenticate({ authorization }, 'key')).rejects.toThrow(Unauthenticated);
      expect(reads).toEqual([]);
    });
  });

  test('reads nothing for a key that is mistyped', async () => {
    const { key, reads, authenticator } = setUp();
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    await expect(authenticator.authenticate(bearer(mistyped), 'key')).rejects.toThrow(Unauthenticated);
    expect(reads).toEqual([]);
  });

  test.each([
    ['disabled', { disabled: true }],
    ['expired', { expires_at: NOW.toISOString() }],
  ])('refuses a %s key like an unknown one', async (_, stored) => {
    const { key, authenticator } = setUp({}, stored);
    await expect(authenticator.authenticate(bearer(key), 'key')).rejects.toThrow('Invalid API key');
  });

  test('lets only management keys manage', async () => {
    const normal = setUp();
    await expect(normal.authenticator.authenticate(bearer(normal.key), 'management')).rejects.toThrow(
      new PermissionDenied('Only management keys can perform this operation'),
    );
    const management = setUp({ kind: 'management' });
    const principal = await management.authenticator.authenticate(bearer(management.key), 'management');
    expect(principal.kind).toBe('management');
  });

  test('only records the use of valid keys', async () => {
    const live = setUp();
    await live.authenticator.authenticate(bearer(live.key), 'key');
    expect(live.uses).toEqual([live.hash]);
    const disabled = setUp({}, { disabled: true });
    await expect(disabled.authenticator.authenticate(bearer(disabled.key), 'key')).rejects.toThrow();
    expect(disabled.uses).toEqual([]);
  });

  test('remembers a key for 5 seconds and no longer', async () => {
    const { key, rows, clock, reads, authenticator } = setUp();
    await authenticator.authenticate(bearer(key), 'key');
    rows.clear();
    clock.now = new Date(NOW.getTime() + 4_999);
    await authenticator.authenticate(bearer(key), 'key');
    expect(reads).toHaveLength(1);
    clock.now = new Date(NOW.getTime() + 5_000);
    await expect(authenticator.authenticate(bearer(key), 'key')).rejects.toThrow(Unauthenticated);
  });

  test('does not cache management keys, because a revoked one could quickly create another', async () => {
    const { key, hash, rows, authenticator } = setUp({ kind: 'management' });
    for (const access of ['key', 'management'] as const) {
      await authenticator.authenticate(bearer(key), access);
    }
    rows.set(hash, { ...rows.get(hash)!, disabled: true });
    await expect(authenticator.authenticate(bearer(key), 'management')).rejects.toThrow(Unauthenticated);
  });

  test.each([
    ['disabled', { disabled: true }],
    ['expired', { expires_at: NOW.toISOString() }],
  ])('remembers no %s key, so that it works at once when it becomes valid again', async (_, stored) => {
    const { key, hash, rows, authenticator } = setUp({}, stored);
    await expect(authenticator.authenticate(bearer(key), 'key')).rejects.toThrow(Unauthenticated);
    rows.set(hash, { ...rows.get(hash)!, disabled: false, expires_at: null });
    expect(await authenticator.authenticate(bearer(key), 'key')).toMatchObject({ keyHash: hash });
  });

  describe('a session', () => {
    test('acts for its key, with its scope, and names both', async () => {
      const scope = { ...UNLIMITED, operations: ['read'] as const };
      const { hash, begin, uses, authenticator } = setUp({ kind: 'management', scope });
      const token = begin();
      const principal = await authenticator.authenticate(bearer(token), 'management');
      const session = { hash: hashKey(token), endsAt: '2026-01-01T12:00:00.000Z' };
      expect(principal).toMatchObject({ keyHash: hash, kind: 'management', scope, endsAt: null, session });
      expect(uses).toEqual([hash]);
    });

    test('of a person has the scope of their claims, and acts in its first workspace', async () => {
      const { begin, sessions, authenticator } = setUp({ kind: 'management', guardrailId: 'g-1' });
      const token = begin();
      const scope = { workspaces: ['ws-7'], operations: ['read' as const], networks: null };
      sessions.set(hashKey(token), { ...sessions.get(hashKey(token))!, subject: 'ada', scope });
      const principal = await authenticator.authenticate(bearer(token), 'key');
      expect(principal).toMatchObject({ scope, workspaceId: 'ws-7', session: { subject: 'ada' } });
      // The guardrail that a key names is of the key's workspace.
      expect(principal.guardrailId).toBeNull();
      sessions.set(hashKey(token), { ...sessions.get(hashKey(token))!, scope: UNLIMITED });
      const atHome = await authenticator.authenticate(bearer(token), 'key');
      expect(atHome).toMatchObject({ workspaceId: 'ws-1', guardrailId: 'g-1' });
    });

    test('of an API key manages nothing', async () => {
      const { begin, authenticator } = setUp();
      await expect(authenticator.authenticate(bearer(begin()), 'management')).rejects.toThrow(
        PermissionDenied,
      );
    });

    test.each(['key', 'management'] as const)(
      'is remembered by no function, for access %s',
      async (access) => {
        const { begin, sessions, authenticator } = setUp({ kind: 'management' });
        const token = begin();
        await authenticator.authenticate(bearer(token), access);
        sessions.clear();
        await expect(authenticator.authenticate(bearer(token), access)).rejects.toThrow('Invalid API key');
      },
    );

    test.each([
      ['disabled', { disabled: true }],
      ['expired', { expires_at: NOW.toISOString() }],
    ])('ends at once when its key is %s, though functions still remember the key', async (_, change) => {
      const { key, hash, rows, begin, authenticator } = setUp();
      const token = begin();
      for (const credential of [key, token]) await authenticator.authenticate(bearer(credential), 'key');
      rows.set(hash, { ...rows.get(hash)!, ...change });
      await expect(authenticator.authenticate(bearer(token), 'key')).rejects.toThrow('Invalid API key');
    });
  });

  test('turns any header into a principal or a refusal', async () => {
    const { authenticator } = setUp();
    await fc.assert(
      fc.asyncProperty(anyText, async (authorization) => {
        await expect(authenticator.authenticate({ authorization }, 'key')).rejects.toThrow(Unauthenticated);
      }),
    );
  });
});
