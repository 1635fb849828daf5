import { describe, expect, test } from '@jest/globals';
import { ProviderError, type ProviderErrorKind } from '../../../functions/videos/providers/provider.ts';
import { type ProviderCall, ProviderGate } from '../../../functions/videos/worker/provider-gate.ts';

const aCall = (change: Partial<ProviderCall> = {}): ProviderCall => ({
  kind: 'submit',
  provider: 'fal',
  workspaceId: 'ws-1',
  offer: 'fox-1',
  jobId: 'vid_1',
  ...change,
});

class Clock {
  now = 1_000_000;
  warnings: unknown[] = [];
  rests: unknown[] = [];
  readonly gate = new ProviderGate({
    now: () => new Date(this.now),
    log: { info: () => undefined, warn: (_, fields) => this.warnings.push(fields), error: () => undefined },
    noteRest: (...rest) => this.rests.push(rest),
  });

  async fail(kind: ProviderErrorKind, change: Partial<ProviderCall> = {}, wished?: number): Promise<void> {
    const error = new ProviderError(kind, 'no', wished === undefined ? {} : { retryAfterSeconds: wished });
    await expect(this.gate.watch(aCall(change), () => Promise.reject(error))).rejects.toBe(error);
  }

  wait(change: Partial<ProviderCall> = {}): number {
    const call = aCall(change);
    const { seconds } = this.gate.enter(call);
    if (seconds === 0) this.gate.leave(call);
    return seconds;
  }
}

describe('an overloaded provider', () => {
  test('gets fewer submits of that model with that key, and everything else as before', async () => {
    const clock = new Clock();
    await clock.fail('rate_limited', {}, 30);
    await clock.fail('rate_limited', { jobId: 'vid_2' }, 30);
    expect(clock.wait({ jobId: 'vid_3' })).toBe(30);
    const others: Partial<ProviderCall>[] = [
      { kind: 'poll' },
      { offer: 'fox-2' },
      { workspaceId: 'ws-2' },
      { provider: 'replicate' },
    ];
    expect(others.map((other) => clock.wait(other))).toEqual([0, 0, 0, 0]);
  });

  test.each<[string, (clock: Clock) => Promise<unknown>]>([
    ['accepts a job', (clock) => clock.gate.watch(aCall(), async () => 'accepted')],
    ['refuses a job finally', (clock) => clock.fail('refused')],
  ])('gets all of them again once it %s', async (_, answer) => {
    const clock = new Clock();
    await clock.fail('rate_limited');
    await clock.fail('rate_limited', { jobId: 'vid_2' });
    expect(clock.wait()).toBe(2);
    await answer(clock);
    expect([clock.wait(), clock.wait()]).toEqual([0, 0]);
  });

  test.each<[string, (clock: Clock) => Promise<unknown>]>([
    ['an answer to a poll', (clock) => clock.gate.watch(aCall({ kind: 'poll' }), async () => 'running')],
    ['a lost answer', (clock) => clock.fail('ambiguous')],
  ])('does not get them for %s', async (_, answer) => {
    const clock = new Clock();
    await clock.fail('rate_limited');
    await answer(clock);
    expect(clock.wait()).toBe(1);
  });

  test('may say so to a poll, which slows no other poll', async () => {
    const clock = new Clock();
    await clock.fail('rate_limited', { kind: 'poll' }, 30);
    expect([clock.wait(), clock.wait({ kind: 'poll' })]).toEqual([0, 0]);
  });
});

describe('a provider that does not answer', () => {
  test.each(['unavailable', 'ambiguous'] as const)('(%s) gets no calls from anybody', async (kind) => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail(kind, { workspaceId: `ws-${i}` });
    const everybody = { workspaceId: 'ws-9', model: 'fox-2' };
    expect([clock.wait(everybody), clock.wait({ ...everybody, provider: 'replicate' })]).toEqual([15, 0]);
    expect(clock.warnings).toEqual([{ provider: 'fal', calls: 'submit', seconds: 15 }]);
  });

  test('to one workspace gets no calls from that one only, until another gets no response either', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('ambiguous', { workspaceId: 'ws-1' });
    const waits = () => ['ws-1', 'ws-2', 'ws-3'].map((workspaceId) => clock.wait({ workspaceId }));
    expect(waits()).toEqual([15, 0, 0]);
    expect(clock.rests).toEqual([['fal', 15, 'ws-1']]);
    await clock.fail('ambiguous', { workspaceId: 'ws-2' });
    expect(waits()).toEqual([15, 15, 15]);
    await clock.fail('ambiguous', { workspaceId: 'ws-3' });
    expect(clock.rests.slice(1)).toEqual([['fal', 15, undefined]]);
  });

  test('to the trials of one workspace is tried by another that got no response once', async () => {
    const clock = new Clock();
    await clock.fail('ambiguous', { workspaceId: 'ws-2' });
    for (let i = 0; i < 4; i++) await clock.fail('ambiguous', { workspaceId: 'ws-1' });
    const waits = () => ['ws-1', 'ws-2'].map((workspaceId) => clock.wait({ workspaceId }));
    expect(waits()).toEqual([15, 15]);
    clock.now += 15_000;
    expect(waits()).toEqual([0, 30]);
    await clock.fail('ambiguous', { workspaceId: 'ws-1' });
    expect(waits()).toEqual([30, 0]);
    await clock.fail('ambiguous', { workspaceId: 'ws-2' });
    expect(waits()).toEqual([30, 30]);
  });

  test('to one workspace, but does to another, is called by both', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('unavailable', { workspaceId: 'ws-1' });
    await clock.gate.watch(aCall({ workspaceId: 'ws-2' }), async () => 'fine');
    expect([clock.wait({ workspaceId: 'ws-1' }), clock.wait({ workspaceId: 'ws-2' })]).toEqual([0, 0]);
  });

  test.each([
    ['submit', 'poll'],
    ['poll', 'submit'],
  ] as const)('to a %s may still answer a %s', async (kind, other) => {
    const clock = new Clock();
    for (let i = 0; i < 4; i++) await clock.fail('unavailable', { kind });
    await clock.gate.watch(aCall({ kind: other }), async () => 'fine');
    await clock.fail('unavailable', { kind });
    expect([clock.wait({ kind }), clock.wait({ kind: other })]).toEqual([15, 0]);
  });

  test.each(['refused', 'moderated', 'credential', 'rate_limited'] as const)(
    'is distinguished from one that refuses (%s)',
    async (kind) => {
      const clock = new Clock();
      for (let i = 0; i < 4; i++) await clock.fail('unavailable', { kind: 'poll' });
      await clock.fail(kind, { kind: 'poll' });
      await clock.fail('unavailable', { kind: 'poll' });
      expect(clock.wait({ kind: 'poll' })).toBe(0);
    },
  );

  test('is distinguished from an input that cannot be fetched, which concerns one caller only', async () => {
    const clock = new Clock();
    const gone = new ProviderError('unavailable', 'no input', { isOfInput: true });
    const submit = () => clock.gate.watch(aCall(), () => Promise.reject(gone));
    for (let i = 0; i < 9; i++) await expect(submit()).rejects.toBe(gone);
    expect(clock.wait()).toBe(0);
  });

  test('rests in spite of a job that it is not asked about, as one without a key', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('unavailable', { workspaceId: `ws-${i}` });
    const keyless = new ProviderError('credential', 'no key', { wasAsked: false });
    const submit = clock.gate.watch(aCall({ workspaceId: 'ws-8' }), () => Promise.reject(keyless));
    await expect(submit).rejects.toBe(keyless);
    expect(clock.wait({ workspaceId: 'ws-9' })).toBe(15);
  });

  test('is tried by the next job if the first job ends before it calls the provider', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('unavailable');
    clock.now += 15_000;
    expect([clock.wait(), clock.wait()]).toEqual([0, 30]);
    const unread = new ProviderError('refused', 'no input', { isOfInput: true });
    await expect(clock.gate.watch(aCall(), () => Promise.reject(unread))).rejects.toBe(unread);
    expect([clock.wait(), clock.wait()]).toEqual([0, 30]);
  });

  test('is distinguished from a defect in our code', async () => {
    const clock = new Clock();
    const defect = () => Promise.reject(new TypeError('undefined is not a function'));
    for (let i = 0; i < 9; i++) await expect(clock.gate.watch(aCall(), defect)).rejects.toThrow(TypeError);
    expect(clock.wait()).toBe(0);
  });

  test('is called again by all once it has answered', async () => {
    const clock = new Clock();
    for (let i = 0; i < 5; i++) await clock.fail('unavailable');
    clock.now += 15_000;
    expect([clock.wait(), clock.wait()]).toEqual([0, 30]);
    expect(await clock.gate.watch(aCall(), async () => 'fine')).toBe('fine');
    expect(clock.wait()).toBe(0);
  });
});

test.each([
  ['submit', 6],
  ['poll', 10],
] as const)('at a time one provider gets at most as many calls for a %s as %i', (kind, most) => {
  const { gate } = new Clock();
  const enter = () => gate.enter(aCall({ kind })).seconds;
  expect(Array.from({ length: most + 1 }, enter)).toEqual([...Array(most).fill(0), 1]);
  expect(gate.enter(aCall({ kind, provider: 'replicate' })).seconds).toBe(0);
  gate.leave(aCall());
  expect([enter(), enter()]).toEqual([0, 1]);
  expect(gate.enter(aCall({ kind })).reason).toBe('provider_busy');
});
