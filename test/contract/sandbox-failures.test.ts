import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { newId } from '../../functions/ids.ts';
import { sandboxProvider } from '../../functions/videos/providers/sandbox.ts';
import { ResultStore } from '../../functions/videos/results/result-store.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import { contextAt } from '../videos/providers/sandbox/provider-fixture.ts';
import { SANDBOX_FAILURES, type SandboxFailure } from '../videos/providers/sandbox/sandbox-failures.ts';
import { dynamo } from './aws.ts';
import { JobLedger, newOwner } from './job-ledger.ts';
import { workOff } from './ledger-worker.ts';
import { stage } from './stage.ts';

const CENT = 10_000;

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
  await ledger.accept(
    owner,
    CENT,
    {},
    {
      id,
      request: { ...request, duration_seconds: 1, options },
      deadline_at: ledger.now.getTime() + 1_800_000,
    },
  );
  return id;
}

describe('a job whose provider fails by', () => {
  test.each(SANDBOX_FAILURES)(
    '$name ends correctly, at the right cost, with one event and no hold left',
    async ({ directives, status, reason }) => {
      const owner = newOwner();
      const id = await accept(owner, directives);
      const { events } = await workOff(id, {
        ledger,
        provider: sandboxProvider,
        context: () => contextAt(0),
        results: new ResultStore({ endpoint, region, credentials }, bucket),
      });

      const job = await ledger.job(id);
      expect(job).toMatchObject({ status, phase: 'settled' });
      if (reason !== undefined) expect(job.error).toMatch(reason);
      const cost = status === 'completed' ? CENT : 0;
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
