import { ownRole } from '../../aws/own-role.ts';
import { consumerPorts, jobsHandler, PROVIDER_MILLISECONDS } from '../../deployed/consumers.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import { copyQueue, providerContexts, shareStore } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { workersVariable } from '../../fair-shares.ts';
import { countUnderpricedJob } from '../../telemetry/metrics.ts';
import { ResultStore } from '../../videos/results/result-store.ts';
import { COPY_MILLISECONDS, copyJob } from '../../videos/worker/copy-job.ts';
import { retentionDaysVariable } from '../../workspaces/retention-days.ts';

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

export const handler = jobsHandler(copyJob, {
  ...consumerPorts({ milliseconds: PROVIDER_MILLISECONDS }),
  queueOf: () => queue,
  results: new ResultStore(ownRole(), setting('resultsBucket')),
  keptDays: async (workspaceId) =>
    (await workspaces.findById(workspaceId))?.video_retention_days ?? stageDays,
  downloadContext: (provider, job) => downloads.of(provider, job),
  shares: shareStore(),
  copiers: setting('copiers', workersVariable),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  countUnderpriced: countUnderpricedJob,
});
