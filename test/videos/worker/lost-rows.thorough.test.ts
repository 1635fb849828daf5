import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import { keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { SweptStage, slowProvider } from './swept-stage.ts';

/** The table was restored to an earlier second while the job was running. */
describe('a job whose account has been lost', () => {
  const ends = [
    ['completes', 'completed'],
    ['is cancelled', 'cancelled'],
  ] as const;
  test.each(ends)('%s, and the money of the other one is settled', async (_, status) => {
    const provider = slowProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.loseAccount(keyAccount(job.key_hash));
    if (status === 'completed') {
      provider.isDone = true;
      await stage.run(3);
    } else await cancelJob(job, stage.ports);
    expect(await stage.row(job.id)).toMatchObject({ status, phase: 'settled' });
    const cost = status === 'completed' ? 40_000 : 0;
    const [key, workspace] = await stage.accountsOf(job);
    expect(key).toMatchObject({ reserved: 0, open_jobs: 0 });
    expect(workspace).toMatchObject({
      reserved: 0,
      open_jobs: 0,
      lifetime: { committed: cost, spent: cost },
      daily: { committed: cost },
    });
  });

  test('ends although a new limit has created the account again', async () => {
    const stage = new SweptStage(slowProvider());
    const job = await stage.accept(1);
    await stage.loseAccount(workspaceAccount(job.workspace_id));
    await stage.changeAccount(workspaceAccount(job.workspace_id), 'closed', false);
    await cancelJob(job, stage.ports);
    const [key] = await stage.accountsOf(job);
    expect(key).toMatchObject({ reserved: 0, open_jobs: 0 });
  });
});

test('a job whose row was restored to an earlier step after its end was reported cannot be cancelled', async () => {
  const stage = new SweptStage(slowProvider());
  const job = await stage.accept(1);
  await cancelJob(job, stage.ports);
  await stage.change(job.id, { ...job, active: 'active-0' });
  await expect(cancelJob(await stage.jobs.find(job.id).then((row) => row!), stage.ports)).rejects.toThrow(
    Conflict,
  );
});
