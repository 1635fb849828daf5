import { describe, expect, test } from '@jest/globals';
import { VirtualClock } from './clock.ts';

describe('a virtual clock', () => {
  test('fires timers in the order of time, and equal ones in the order of their creation', async () => {
    const clock = new VirtualClock(new Date(0));
    const rung: [string, number][] = [];
    const asks = [
      ['c', 30],
      ['a', 10],
      ['b', 30],
      ['now', 0],
    ] as const;
    const waits = asks.map(async ([name, at]) => {
      await clock.wait(at);
      rung.push([name, clock.now().getTime()]);
    });
    await Promise.all(waits);
    expect(rung).toEqual([
      ['now', 0],
      ['a', 10],
      ['c', 30],
      ['b', 30],
    ]);
  });

  test('finishes the work of a timer before the next one fires', async () => {
    const clock = new VirtualClock(new Date(0));
    const seen: number[] = [];
    const walk = async (steps: number, milliseconds: number) => {
      for (let step = 0; step < steps; step++) {
        await clock.wait(milliseconds);
        for (let i = 0; i < 50; i++) await Promise.resolve();
        seen.push(clock.now().getTime());
      }
    };
    await Promise.all([walk(3, 4), walk(2, 5)]);
    expect(seen).toEqual([4, 5, 8, 10, 12]);
  });

  test('passes a year without waiting for it', async () => {
    const clock = new VirtualClock(new Date(0));
    for (let day = 0; day < 365; day++) await clock.wait(86_400_000);
    expect(clock.now()).toEqual(new Date('1971-01-01T00:00:00Z'));
  });

  test('forgets cancelled timers', async () => {
    const clock = new VirtualClock(new Date(0));
    const reason = new Error('no longer');
    const impatient = new AbortController();
    const wait = clock.wait(1_000, impatient.signal);
    impatient.abort(reason);
    await expect(wait).rejects.toBe(reason);
    await clock.wait(1);
    expect(clock.now().getTime()).toBe(1);
  });
});
