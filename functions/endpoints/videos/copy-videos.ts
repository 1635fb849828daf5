import { batchHandler } from '../../aws/consume-batch.ts';
import { log } from '../../aws/logger.ts';
import { countUnderpricedJob } from '../../aws/metrics.ts';
import { ownRole } from '../../aws/own-role.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { retentionDaysVariable } from '../../retention-days.ts';
import { jobMessageSchema } from '../../videos/jobs/job-queue.ts';
import { ResultStore } from '../../videos/results/result-store.ts';
import { COPY_MILLISECONDS, copyJob } from '../../videos/worker/copy-job.ts';
import type { CopyPorts } from '../../videos/worker/moving-job.ts';
import { type TakeMessagePorts, takeMessage } from '../../videos/worker/take-message.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { consumerPorts, PROVIDER_MILLISECONDS, thenWritingFigures } from './consumer-ports.ts';
import { copyQueue } from './deployed.ts';
import { providerContexts } from './worker-ports.ts';

/** How long a content network may send nothing before the rest is asked for again. */
const SILENCE_MILLISECONDS = 30_000;

const workspaces = workspaceStore();
const stageDays = setting('resultDays', retentionDaysVariable);
const queue = copyQueue();
const downloads = providerContexts({
  milliseconds: COPY_MILLISECONDS,
  silenceMilliseconds: SILENCE_MILLISECONDS,
  // The addresses of results contain their own credentials.
  keyOf: async () => undefined,
});
const ports: CopyPorts & TakeMessagePorts = {
  ...consumerPorts({ milliseconds: PROVIDER_MILLISECONDS }),
  queueOf: () => queue,
  results: new ResultStore(ownRole(), setting('resultsBucket')),
  keptDays: async (workspaceId) =>
    (await workspaces.findById(workspaceId))?.video_retention_days ?? stageDays,
  downloadContext: (provider, job) => downloads.of(provider, job),
  countUnderpriced: countUnderpricedJob,
};

export const handler = thenWritingFigures(
  batchHandler(jobMessageSchema, { log, now: systemClock }, (message) =>
    takeMessage(message, ports, copyJob),
  ),
);
