import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SANDBOX_FAILURES } from '../../../bench/stage-jobs/sandbox-failures.ts';
import { micros } from '../../../functions/money/micros.ts';
import { sandboxProvider } from '../../../functions/videos/providers/sandbox.ts';
import { ResultStore } from '../../../functions/videos/results/result-store.ts';
import { eventIdOf } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { S3Server } from '../../aws/object-upload/s3-server.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { SweptStage } from './swept-stage.ts';

const CENT = micros(10_000);

const server = new S3Server();
let results: ResultStore;
beforeAll(async () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  results = new ResultStore({ endpoint: await server.listen(), region: 'us-east-1', credentials }, 'bucket');
});
afterAll(() => server.close());

describe('a job whose provider fails by', () => {
  test.each(SANDBOX_FAILURES)(
    '$name ends correctly, at the right cost, with one event and no hold left',
    async ({ directives: options, status, reason }) => {
      const sent: string[] = [];
      const eventQueue = { send: async ({ event_id }: EventMessage) => void sent.push(event_id) };
      const stage = new SweptStage(sandboxProvider, { results, eventQueue });
      const request = { ...aJob().request, duration_seconds: 1, options };
      const accepted = await stage.accept(1, {}, { request, estimate_micros: CENT });
      await stage.runToDeadline(accepted, 5);

      const job = (await stage.jobs.find(accepted.id))!;
      expect(job).toMatchObject({ status, phase: 'settled' });
      if (reason !== undefined) expect(job.error).toMatch(reason);
      const cost = status === 'completed' ? CENT : 0;
      expect(job.cost_micros ?? 0).toBe(cost);
      expect(job.outputs?.length ?? 0).toBe(status === 'completed' ? 1 : 0);

      expect(sent).toEqual([eventIdOf(job.id)]);
      expect(await stage.eventTypes(job.id)).toEqual([`video.generation.${status}`]);
      for (const account of await stage.accountsOf(job)) {
        expect(account).toMatchObject({
          reserved: 0,
          open_jobs: 0,
          lifetime: { committed: cost, spent: cost },
        });
      }
    },
  );
});
