import { describe, expect, test } from '@jest/globals';
import { SweptStage, slowProvider } from './swept-stage.ts';

// One minute of the stage means some fifty calls.
describe('a job without progress', () => {
  test('is swept less and less often, not once a minute', async () => {
    const stage = new SweptStage(slowProvider());
    stage.hasPollers = false;
    const job = await stage.accept(1);
    await stage.loseMessages();
    const sweptAt: number[] = [];
    let before = 0;
    for (let minute = 1; minute <= 40; minute++) {
      await stage.run(1);
      const count = await stage.messages();
      if (count > before) sweptAt.push(minute);
      before = count;
    }
    // At 35 minutes after the submit the provider is asked a last time, whatever the pause before.
    const early = sweptAt.filter((minute) => minute < 35);
    const waits = early.slice(1).map((minute, i) => minute - early[i]!);
    expect(sweptAt[0]).toBe(2);
    for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual([2, 4, 8, 16][i] ?? 16);
    expect(waits.length).toBeLessThanOrEqual(4);
    expect(await stage.row(job.id)).toMatchObject({ sweeps: sweptAt.length, seq: 0, link: '', step: '' });
  });

  test('continues with the first message that a worker gets, as if it had never been swept', async () => {
    const provider = slowProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.loseMessages();
    await stage.run(3);
    expect(await stage.row(job.id)).toMatchObject({ phase: 'polling', sweeps: 0 });
    provider.isDone = true;
    await stage.run(3);
    expect(await stage.row(job.id)).toMatchObject({ status: 'completed' });
  });

  test('is submitted although a sweep has moved the end of the submit’s lease', async () => {
    const stage = new SweptStage(slowProvider());
    const now = stage.ports.now().getTime();
    const job = await stage.accept(1, { phase: 'submitting', submits: 1, due_at: now + 60_000 });
    await stage.loseMessages();
    await stage.run(4);
    expect(await stage.row(job.id)).toMatchObject({ phase: 'polling', submits: 2 });
  });

  test('is left to a worker that advances it during the sweep', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    await stage.loseMessages();
    await stage.run(1);
    const read = await stage.ports.sweptRows.find(job.id);
    await stage.change(job.id, { step: 'of a worker' });
    expect(await stage.ports.sweptRows.postpone(read!, 1)).toBe(false);
    expect(await stage.row(job.id)).toMatchObject({ sweeps: 0, due_at: job.due_at });
  });
});

test('a worker whose job is swept during its call to the provider still commits the result', async () => {
  const provider = slowProvider();
  const stage = new SweptStage(provider);
  const job = await stage.accept(1);
  const { submit } = provider;
  provider.submit = async (request, context) => {
    const swept = await stage.ports.sweptRows.find(job.id);
    expect(await stage.ports.sweptRows.postpone(swept!, swept!.due_at + 1)).toBe(true);
    return submit(request, context);
  };
  await stage.run(1);
  expect(await stage.row(job.id)).toMatchObject({ phase: 'polling', submits: 1, upstream_id: job.id });
});
