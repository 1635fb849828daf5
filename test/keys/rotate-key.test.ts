import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rotateKey } from '../../functions/keys/create-key.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import type { KeyChange, StoredKey } from '../../functions/keys/key-store.ts';
import { storedKey } from './stored-key.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const HOUR = 3_600_000;

async function rotate(old: StoredKey, overlap: number) {
  const steps: [string, StoredKey | KeyChange][] = [];
  const lives = {
    begin: async (key: StoredKey) => void steps.push(['create', key]),
    change: async (hash: string, change: KeyChange) => void steps.push([hash, change]),
  };
  const money = { limits: {}, countsByok: false };
  const key = await rotateKey(old, overlap, { lives, now: NOW, random: randomBytes, money });
  return { key, steps };
}

describe('rotating a key', () => {
  test.each(['normal', 'management'] as const)(
    'creates a new %s key with the same settings before the old one ends',
    async (kind) => {
      const old = storedKey({
        kind,
        name: 'CI',
        creator_user_id: 'u',
        expires_at: '2027-01-01T00:00:00.000Z',
        external: { user: 'u', api_key: null },
        guardrail_id: '11111111-1111-4111-8111-111111111111',
        scope: { workspaces: null, operations: ['read'], networks: ['10.0.0.0/8'] },
      });
      const { key, steps } = await rotate(old, 0);
      expect(key).toMatch(kind === 'normal' ? /^sk-gw-v1-/ : /^mk-gw-v1-/);
      expect(steps).toEqual([
        [
          'create',
          {
            ...old,
            hash: hashKey(key),
            ...(kind === 'management' && { line: old.hash }),
            label: expect.stringMatching(key.slice(-3)),
            created_at: NOW.toISOString(),
          },
        ],
        [old.hash, { disabled: true }],
      ]);
    },
  );

  test.each([
    ['has no end', null, '2026-06-02T00:00:00.000Z'],
    ['would end later', '2026-07-01T00:00:00.000Z', '2026-06-02T00:00:00.000Z'],
    ['would end sooner', '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z'],
  ])('keeps the old one valid during the overlap when it %s', async (_, expiry, end) => {
    const old = storedKey({ expires_at: expiry });
    const { steps } = await rotate(old, 24 * HOUR);
    expect(steps[1]).toEqual([old.hash, { expires_at: end }]);
  });
});
