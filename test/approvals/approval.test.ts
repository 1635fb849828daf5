import { describe, expect, test } from '@jest/globals';
import { type Approval, assertMayApprove, mayKnow, newApproval } from '../../functions/approvals/approval.ts';
import { describeApproval } from '../../functions/approvals/shown-approval.ts';
import type { Principal } from '../../functions/http/call.ts';
import { NotFound, PermissionDenied } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { emptyAccount } from '../../functions/money/account.ts';
import { storedKey } from '../keys/stored-key.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const principal = (change: Partial<Principal> = {}): Principal => ({
  keyHash: 'first',
  kind: 'management',
  workspaceId: 'ws-1',
  scope: UNLIMITED,
  endsAt: null,
  creator: 'c',
  rateLimits: {},
  ...change,
});
const keyOf = (scope: Partial<Principal['scope']>, by = principal()): Approval => {
  const stored = storedKey({ kind: 'management', scope: { ...UNLIMITED, ...scope } });
  return newApproval('apr_1', by, { action: 'create-key', stored, account: emptyAccount('key') }, NOW);
};
const other = (scope: Partial<Principal['scope']> = {}) =>
  principal({ keyHash: 'other', scope: { ...UNLIMITED, ...scope } });

test('an approval ends after 24 hours', () => {
  expect(keyOf({})).toMatchObject({ asked_at: NOW.toISOString(), ends_at: '2026-06-02T00:00:00.000Z' });
});

describe('a change is approved', () => {
  test('by a key of another line', async () => {
    await expect(assertMayApprove(other(), keyOf({}))).resolves.toBeUndefined();
  });

  test.each([
    ['the key that asked', principal(), principal()],
    ['a key that it has made', principal(), principal({ keyHash: 'made', line: 'first' })],
    ['the key that has made it', principal({ keyHash: 'made', line: 'first' }), principal()],
    [
      'a key that the same one has made',
      principal({ keyHash: 'made', line: 'first' }),
      principal({ keyHash: 'also', line: 'first' }),
    ],
    ['its session', principal(), principal({ session: { hash: 's', endsAt: '' } })],
  ])('not by %s', async (_, asker, approver) => {
    await expect(assertMayApprove(approver, keyOf({}, asker))).rejects.toThrow(PermissionDenied);
  });

  test('not by a key without an operation of the new one', async () => {
    const wanted = keyOf({ operations: ['keys', 'money'] });
    await expect(assertMayApprove(other({ operations: ['keys'] }), wanted)).rejects.toThrow(PermissionDenied);
    await expect(assertMayApprove(other({ operations: ['keys', 'money'] }), wanted)).resolves.toBeUndefined();
  });

  test('not by a key of other workspaces', async () => {
    const wanted = keyOf({ workspaces: ['ws-1'] });
    await expect(assertMayApprove(other({ workspaces: ['ws-2'] }), wanted)).rejects.toThrow(NotFound);
    await expect(assertMayApprove(other({ workspaces: ['ws-1'] }), wanted)).resolves.toBeUndefined();
    // A key for all workspaces is more than one for some.
    await expect(assertMayApprove(other({ workspaces: ['ws-1'] }), keyOf({}))).rejects.toThrow(NotFound);
  });
});

test('a new key is shown with all that it would have', () => {
  const asked = {
    creator_user_id: 'u-1',
    external_user: 'e-1',
    external: { user: 'e-1', api_key: 'k-1' },
    guardrail_id: 'g-1',
    expires_at: '2027-01-01T00:00:00.000Z',
  };
  const stored = storedKey({ kind: 'management', ...asked });
  const change = { action: 'create-key', stored, account: emptyAccount('key') } as const;
  const { request } = describeApproval(newApproval('apr_1', principal(), change, NOW));
  const { kind: _, created_at: _at, updated_at: _updated, last_used_at: _used, ...settings } = stored;
  expect(request).toMatchObject({ ...settings, is_management_key: true });
});

test('changes of the catalogue are shown to keys for all workspaces alone', () => {
  const change = { action: 'put-endpoint', endpoint: 'a/b', request: {}, seen: '' } as const;
  const approval = newApproval('apr_1', principal(), change, NOW);
  expect([mayKnow(other(), approval), mayKnow(other({ workspaces: ['ws-1'] }), approval)]).toEqual([
    true,
    false,
  ]);
});
