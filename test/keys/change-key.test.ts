import { describe, expect, test } from '@jest/globals';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { refuseOwnDeletion, refuseOwnEnd } from '../../functions/keys/change-key.ts';
import type { KeyChange } from '../../functions/keys/key-store.ts';

const principal = {
  keyHash: 'mine',
  kind: 'management',
  workspaceId: 'w',
  creator: 'c',
  rateLimits: {},
  scope: UNLIMITED,
  endsAt: null,
} as const;

describe('a key', () => {
  test('cannot delete itself, only another', () => {
    expect(() => refuseOwnDeletion(principal, 'mine')).toThrow(InvalidRequest);
    expect(() => refuseOwnDeletion(principal, 'mine')).toThrow(
      expect.objectContaining({ metadata: { path: 'hash' } }),
    );
    expect(() => refuseOwnDeletion(principal, 'other')).not.toThrow();
  });

  test.each<[KeyChange, string]>([
    [{ disabled: true }, 'disabled'],
    [{ disabled: true, name: 'a' }, 'disabled'],
  ])('cannot disable itself with %j', (change, path) => {
    const refusal = expect.objectContaining({ name: 'InvalidRequest', metadata: { path } });
    expect(() => refuseOwnEnd(principal, 'mine', change)).toThrow(refusal);
    expect(() => refuseOwnEnd(principal, 'other', change)).not.toThrow();
  });

  test.each<KeyChange>([
    {},
    { name: 'a' },
    { disabled: false },
    { expires_at: null },
    { expires_at: '2026-01-01T12:00:00.001Z' },
  ])('may change itself with %j', (change) => {
    expect(() => refuseOwnEnd(principal, 'mine', change)).not.toThrow();
  });
});
