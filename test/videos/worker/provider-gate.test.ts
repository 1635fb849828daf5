import { describe, expect, test } from '@jest/globals';
import { ProviderError, type ProviderErrorKind } from '../../../functions/videos/providers/provider.ts';
import { ProviderGate } from '../../../functions/videos/worker/provider-gate.ts';

class Clock {
  now = 1_000_000;
  warnings: unknown[] = [];
  readonly gate = new ProviderGate({
    now: () => new Date(this.now),
    log: { info: () => undefined, warn: (_, fields) => this.warnings.push(fields), error: () => undefined },
  });

  async fail(kind: ProviderErrorKind, retryAfterSeconds?: number, workspace = 'ws-1'): Promise<void> {
    const error = new ProviderError(kind, 'no', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    await expect(this.gate.watch('fal', workspace, () => Promise.reject(error))).rejects.toBe(error);
  }

  wait(provider = 'fal', workspace = 'ws-1'): number {
    const seconds = this.gate.enter(provider, workspace);
    if (seconds === 0) this.gate.leave(provider);
    return seconds;
  }
}

describe('a provider that is over its limit', () => {
  test.each([
    [undefined, 5],
    [30, 30],
    [86_400, 900],
  ])('and says %p is left alone for %i s', async (retryAfter, seconds) => {
    const clock = new Clock();
    await clock.fail('rate_limited', retryAfter);
    expect(clock.wait()).toBe(seconds);
    clock.now += seconds * 1000;
    expect(clock.wait()).toBe(0);
  });

  test('is left alone by the workspace whose key it is about, and by no other', async () => {
    const clock = new Clock();
    await clock.fail('rate_limited', 30);
    expect([clock.wait('fal', 'ws-1'), clock.wait('fal', 'ws-2'), clock.wait('replicate')]).toEqual([
      30, 0, 0,
    ]);
  });
});

describe('a provider that does not answer', () => {
  test.each(['unavailable', 'ambiguous'] as const)('(%s) is left alone by everybody', async (kind) => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail(kind, undefined, `ws-${i}`);
    expect([clock.wait('fal', 'ws-9'), clock.wait('replicate', 'ws-9')]).toEqual([15, 0]);
    expect(clock.warnings).toEqual([{ provider: 'fal', seconds: 15 }]);
  });

  test.each(['refused', 'moderated', 'credential', 'rate_limited'] as const)(
    'is told from one that says no (%s)',
    async (kind) => {
      const clock = new Clock();
      for (let i = 0; i < 4; i++) await clock.fail('unavailable');
      await clock.fail(kind, 0);
      await clock.fail('unavailable');
      expect(clock.wait()).toBe(0);
    },
  );

  test('is told from an input that cannot be had, which is one caller’s affair', async () => {
    const clock = new Clock();
    const gone = new ProviderError('unavailable', 'no input', { isOfInput: true });
    const call = () => clock.gate.watch('fal', 'ws-1', () => Promise.reject(gone));
    for (let i = 0; i < 9; i++) await expect(call()).rejects.toBe(gone);
    expect(clock.wait()).toBe(0);
  });

  test('is told from a defect of ours', async () => {
    const clock = new Clock();
    const defect = () => Promise.reject(new TypeError('undefined is not a function'));
    for (let i = 0; i < 9; i++)
      await expect(clock.gate.watch('fal', 'ws-1', defect)).rejects.toThrow(TypeError);
    expect(clock.wait()).toBe(0);
  });

  test('is called again by all once it has answered', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('unavailable');
    clock.now += 15_000;
    expect([clock.wait(), clock.wait()]).toEqual([0, 30]);
    expect(await clock.gate.watch('fal', 'ws-1', async () => 'fine')).toBe('fine');
    expect(clock.wait()).toBe(0);
  });
});

test('six jobs at a time are at one provider', () => {
  const { gate } = new Clock();
  const enter = () => gate.enter('fal', 'ws-1');
  expect(Array.from({ length: 7 }, enter)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(gate.enter('replicate', 'ws-1')).toBe(0);
  gate.leave('fal');
  expect([enter(), enter()]).toEqual([0, 1]);
});
