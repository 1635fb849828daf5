import { dynamo } from '../../aws/dynamo.ts';
import { s3, s3In } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import {
  contentStore,
  deadKeys,
  destinationStore,
  fileStore,
  guardrailStore,
  listStore,
  providerKeyStore,
  removalStore,
} from '../../deployed/stores.ts';
import { figureStore, videoProviders } from '../../deployed/videos.ts';
import { eventStore, knownHosts, webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { ReplayStore } from '../../gate/answer-once.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { workspacePrefixes } from '../../videos/bucket-layout.ts';
import { JobPurge } from '../../videos/jobs/purge-jobs.ts';
import { removeBedrockResults } from '../../videos/results/bedrock-results.ts';
import { type PurgeAllPorts, purgeWorkspaces } from '../../workspaces/remove-workspace.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';

/** Less than the function's own time-out, with room for the call that is under way. */
const RUN_MILLISECONDS = 30_000;

const results = setting('resultsBucket');
const bedrock = { providers: videoProviders(), bucket: results, clientIn: s3In };

const ports: PurgeAllPorts = {
  removals: removalStore(),
  providerKeys: providerKeyStore(),
  lists: listStore(),
  guardrails: guardrailStore(),
  webhooks: webhookSettings(),
  broadcasts: destinationStore(),
  jobs: new JobPurge(dynamo, setting('jobsTable'), {
    removeUpstream: (job) => removeBedrockResults(job, bedrock),
    now: systemClock,
  }),
  holdings: [
    new ReplayStore(dynamo, setting('replaysTable')),
    eventStore(),
    knownHosts(),
    figureStore(),
    new StoredObjects(s3, setting('filesBucket'), (workspaceId) => [objectKey(workspaceId, '')]),
    fileStore(),
    new StoredObjects(s3, results, workspacePrefixes),
    contentStore(),
    deadKeys(),
  ],
  now: systemClock,
  tellUnreadable,
  log,
};

export const handler = (): Promise<void> =>
  purgeWorkspaces(new Date(systemClock().getTime() + RUN_MILLISECONDS), ports);
