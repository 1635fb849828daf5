import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { ApiError } from '../../functions/http/errors.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountBook } from '../../functions/money/account-book.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { withLimit } from '../../functions/money/account-update.ts';
import { micros, times } from '../../functions/money/micros.ts';
import { acceptJob } from '../../functions/videos/jobs/accept-job.ts';
import { isRequestRow } from '../../functions/videos/jobs/job-request.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { type FaultPlan, noFaults, seededRandom } from '../engines/index.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import { SweptStage, slowProvider } from '../videos/worker/swept-stage.ts';

const SUBMITS = 150;
const ROOM = 10;
const COST = micros(40_000);
const OWNER = { key_hash: 'key-of-all', workspace_id: 'ws-of-all' };
const ACCOUNT = keyAccount(OWNER.key_hash);

/** Kills each process at one of its first calls, before or after the call takes effect. */
function killing(random: () => number): FaultPlan {
  const left = new Map<string, number>();
  return ({ process }) => {
    if (!process.startsWith('submit')) return undefined;
    const calls = left.get(process) ?? Math.floor(random() * 5);
    left.set(process, calls - 1);
    if (calls !== 0) return undefined;
    return random() < 0.5 ? 'crash before' : 'crash after';
  };
}

/** Submits a job like the function, which may die on the way. */
async function submit(stage: SweptStage, number: number): Promise<void> {
  const { dynamo: client, process } = stage.world.startProcess(`submit ${number}`);
  const { now } = stage.ports;
  const accounts = new AccountStore(client, stage.tables.accounts);
  const jobs = new JobStore(client, stage.tables.jobs, () => undefined);
  const id = `vid_${String(number).padStart(26, '0')}`;
  const job = aJob({ ...OWNER, id, estimate_micros: COST });
  const ports = { client, jobs, accounts, book: new AccountBook(accounts, now), now };
  await Promise.race([acceptJob(job, {}, ports), process.crashed]).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

async function giveRoom(stage: SweptStage): Promise<void> {
  const { dynamo } = stage.world.startProcess('operator');
  const accounts = new AccountStore(dynamo, stage.tables.accounts);
  const before = await accounts.readOne(ACCOUNT);
  const limits = withLimit(before, 'lifetime', times(COST, ROOM), stage.ports.now());
  await transact(dynamo, { account: accounts.changeLimits(before, { limits, countsByok: false }) });
}

/** The sums that the account must show according to the rows of jobs. */
async function ledgerOf(stage: SweptStage) {
  const { dynamo } = stage.world.startProcess('auditor');
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: stage.tables.jobs }));
  const jobs = Items.filter((row) => !isRequestRow(row));
  const open = jobs.filter(({ phase }) => phase !== 'settled').length;
  const spent = jobs.reduce((sum, { cost_micros = 0 }) => sum + Number(cost_micros), 0);
  const account = await stage.accountRow(ACCOUNT);
  const wanted = {
    reserved: open * COST,
    open_jobs: open,
    lifetime: { committed: open * COST + spent, spent },
  };
  return { jobs: jobs.length, open, wanted, account };
}

describe('a hundred and fifty submits at once, with room for ten, while each function is killed', () => {
  test.each(Array.from({ length: 5 }, (_, i) => i + 1))(
    'leave a consistent ledger (seed %i)',
    async (seed) => {
      const provider = slowProvider();
      const stage = new SweptStage(provider);
      await giveRoom(stage);
      stage.world.faults = killing(seededRandom(seed));
      await Promise.all(Array.from({ length: SUBMITS }, (_, i) => submit(stage, i)));
      stage.world.faults = noFaults;
      await stage.run(2);
      const before = await ledgerOf(stage);
      expect(before.jobs).toBeGreaterThan(0);
      expect(before.jobs).toBeLessThanOrEqual(ROOM);
      expect(before.open).toBe(before.jobs);
      expect(before.account).toMatchObject(before.wanted);

      // No job has a message. The sweeper must find each of them and bring it to its end.
      provider.isDone = true;
      await stage.run(6);
      const after = await ledgerOf(stage);
      expect([after.jobs, after.open]).toEqual([before.jobs, 0]);
      expect(after.account).toMatchObject(after.wanted);
      expect(after.wanted.lifetime.spent).toBe(before.jobs * COST);
    },
  );
});
