import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import { KeyUses, type KeyUseWriter } from '../../functions/keys/key-uses.ts';
import type { Log } from '../../functions/telemetry/log.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const { stored } = issueKey(
  {
    kind: 'normal',
    name: 'a',
    workspaceId: 'w',
    creatorUserId: null,
    externalUser: null,
    expiresAt: null,
    rateLimits: {},
    scope: UNLIMITED,
  },
  new Date(NOON),
  randomBytes,
);
const usedAt = (time: number) => ({ ...stored, last_used_at: new Date(time).toISOString() });

function setUp(noteUse?: KeyUseWriter['noteUse']) {
  const clock = { now: NOON };
  const writes: [string, number, number][] = [];
  const warnings: string[] = [];
  const write: KeyUseWriter['noteUse'] = async (hash, at, unlessAfter) => {
    writes.push([hash, at.getTime(), unlessAfter.getTime()]);
    await noteUse?.(hash, at, unlessAfter);
  };
  const note = (message: string) => void warnings.push(message);
  const log: Log = { info: note, warn: note, error: note };
  return { clock, writes, warnings, uses: new KeyUses({ noteUse: write }, () => new Date(clock.now), log) };
}

describe('the use of a key', () => {
  test('is recorded at once, and then once a minute', () => {
    const { clock, writes, uses } = setUp();
    for (let second = 0; second <= 120; second++) {
      clock.now = NOON + second * 1000;
      for (let i = 0; i < 10; i++) uses.record(stored);
    }
    expect(writes).toEqual([0, 60, 120].map((s) => [stored.hash, NOON + s * 1000, NOON + (s - 60) * 1000]));
  });

  test.each([
    [59_999, 0],
    [60_000, 1],
  ])('that was recorded elsewhere %d ms ago is recorded again %d times', (ago, times) => {
    const { writes, uses } = setUp();
    uses.record(usedAt(NOON - ago));
    expect(writes).toHaveLength(times);
  });

  test('is recorded for each key', () => {
    const { writes, uses } = setUp();
    for (let i = 0; i < 2_000; i++) uses.record({ ...stored, hash: String(i) });
    expect(writes).toHaveLength(2_000);
  });

  test('that cannot be recorded does no harm, and is not retried within the minute', async () => {
    const { writes, warnings, uses } = setUp(async () => {
      throw new Error('throttled');
    });
    uses.record(stored);
    uses.record(stored);
    await expect(uses.settled()).resolves.toBeUndefined();
    expect(writes).toHaveLength(1);
    expect(warnings).toEqual(['use of a key not noted']);
  });

  test('is awaited until it is recorded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { uses } = setUp(() => promise);
    await uses.settled();
    uses.record(stored);
    const events: string[] = [];
    const waiting = uses.settled().then(() => events.push('settled'));
    await new Promise(setImmediate);
    events.push('noting');
    resolve();
    await waiting;
    expect(events).toEqual(['noting', 'settled']);
  });
});
