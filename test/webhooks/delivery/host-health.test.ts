import { describe, expect, test } from '@jest/globals';
import { hasJustFailed, isCircuitOpen, isDead } from '../../../functions/webhooks/delivery/host-health.ts';

const at = (milliseconds: number) => new Date(milliseconds);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const failedAt = (latest: number[]) => ({ failingSince: 0, failures: latest.length, latest });

describe('a circuit', () => {
  const ten = Array.from({ length: 10 }, (_, minute) => minute * MINUTE);

  test.each([isCircuitOpen, hasJustFailed])(
    'is open from the tenth failure within ten minutes, until the tenth last is older',
    (isOpen) => {
      expect(isOpen(failedAt(ten.slice(1)), at(9 * MINUTE))).toBe(false);
      expect(isOpen(failedAt(ten), at(10 * MINUTE))).toBe(true);
      expect(isOpen(failedAt(ten), at(10 * MINUTE + 1))).toBe(false);
    },
  );

  test('looks at the latest ten if more are known', () => {
    expect(isCircuitOpen(failedAt([0, ...ten.map((time) => time + DAY)]), at(DAY + 10 * MINUTE))).toBe(true);
  });

  test('stays open from its first trial on', () => {
    const tried = { ...failedAt(ten), triedAt: 0 };
    expect([isCircuitOpen(tried, at(DAY)), hasJustFailed(tried, at(DAY))]).toEqual([true, false]);
  });
});

describe('a host', () => {
  test.each([
    [20, 5 * DAY, true],
    [19, 5 * DAY, false],
    [20, 5 * DAY - 1, false],
  ])('with %i failures over %i ms is dead: %p', (failures, now, dead) => {
    expect(isDead({ failingSince: 0, failures, latest: [] }, at(now))).toBe(dead);
  });
});
