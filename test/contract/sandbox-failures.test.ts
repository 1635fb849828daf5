import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { newId } from '../../functions/ids.ts';
import type { JobMessage } from '../../functions/videos/jobs/job-queue.ts';
import { sandboxProvider } from '../../functions/videos/providers/sandbox/sandbox-provider.ts';
import { ResultStore } from '../../functions/videos/results/result-store.ts';
import { advanceJob } from '../../functions/videos/worker/advance-job.ts';
import type { AdvancePorts } from '../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../functions/videos/worker/provider-gate.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import { contextAt } from '../videos/providers/sandbox/provider-fixture.ts';
import { SANDBOX_FAILURES, type SandboxFailure } from '../videos/providers/sandbox/sandbox-failures.ts';
import { dynamo } from './aws.ts';
import { JobLedger, newOwner } from './job-ledger.ts';
import { stage } from './stage.ts';

const CENT = 10_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const { endpoint, region, credentials } = stage.aws;
const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
const bucket = `own-${crypto.randomUUID()}`;
let ledger: JobLedger;
beforeAll(async () => {
  ledger = await JobLedger.create(dynamo);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
});

async function accept(owner: ReturnType<typeof newOwner>, options: SandboxFailure['directives']) {
  const { id, request } = aJob({ id: newId.video(ledger.now) });
  await ledger.accept(owner, CENT, [], {
    id,
    request: { ...request, duration_seconds: 1, options },
    deadline_at: ledger.now.getTime() + 1_800_000,
  });
  return id;
}

/** The worker over real tables and a real bucket; the queue is a list, because its delays are minutes. */
async function work(first: JobMessage): Promise<string[]> {
  const messages = [{ message: first, dueAt: ledger.now.getTime() }];
  const events: string[] = [];
  const now = () => ledger.now;
  const ports: AdvancePorts = {
    ...ledger.worker(),
    jobQueue: {
      send: async (message, _, seconds) => {
        messages.push({ message, dueAt: ledger.now.getTime() + seconds * 1000 });
      },
    },
    eventQueue: { send: async ({ event_id }) => void events.push(event_id) },
    results: new ResultStore(s3, bucket),
    keptDays: async () => 30,
    provider: () => sandboxProvider,
    providerContext: async () => ({ ...contextAt(0), now }),
    gate: new ProviderGate({ now, log: silent }),
    newGenerationId: () => 'gen_1',
    now,
    random: () => 0,
    countSettled: () => undefined,
    log: silent,
  };
  for (let next = messages.shift(); next !== undefined; next = messages.shift()) {
    ledger.now = new Date(Math.max(ledger.now.getTime(), next.dueAt));
    await advanceJob(next.message, ports);
  }
  return events;
}

describe('a job whose provider fails by', () => {
  test.each(SANDBOX_FAILURES)(
    '$name ends as it should, at the right cost, with one event and no hold left',
    async ({ directives, status, reason, costMicros }) => {
      const owner = newOwner();
      const id = await accept(owner, directives);
      const events = await work({ v: 1, job_id: id, seq: 0 });

      const job = await ledger.job(id);
      expect(job).toMatchObject({ status, phase: 'settled' });
      if (reason !== undefined) expect(job.error).toMatch(reason);
      const cost = costMicros ?? (status === 'completed' ? CENT : 0);
      expect(job.cost_micros ?? 0).toBe(cost);
      expect(job.outputs?.length ?? 0).toBe(status === 'completed' ? 1 : 0);

      expect(events).toEqual([`msg_${id.slice('vid_'.length)}`]);
      expect(await ledger.eventTypes(id)).toEqual([`video.generation.${status}`]);
      for (const account of owner.accounts) {
        expect(await ledger.account(account)).toMatchObject({
          reserved: 0,
          open_jobs: 0,
          lifetime: { committed: cost, spent: cost },
        });
      }
    },
  );
});
