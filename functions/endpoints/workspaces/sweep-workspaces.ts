import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import {
  contentStore,
  destinationStore,
  fileStore,
  guardrailStore,
  listStore,
  providerKeyStore,
  removalStore,
} from '../../deployed/stores.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { log } from '../../telemetry/logger.ts';
import { workspacePrefixes } from '../../videos/bucket-layout.ts';
import { type PurgeAllPorts, purgeWorkspaces } from '../../workspaces/remove-workspace.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';

/** Less than the function's own time-out, with room for the call that is under way. */
const RUN_MILLISECONDS = 30_000;

const ports: PurgeAllPorts = {
  removals: removalStore(),
  providerKeys: providerKeyStore(),
  lists: listStore(),
  guardrails: guardrailStore(),
  webhooks: webhookSettings(),
  broadcasts: destinationStore(),
  holdings: [
    new StoredObjects(s3, setting('filesBucket'), (workspaceId) => [objectKey(workspaceId, '')]),
    fileStore(),
    new StoredObjects(s3, setting('resultsBucket'), workspacePrefixes),
    contentStore(),
  ],
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  purgeWorkspaces(new Date(systemClock().getTime() + RUN_MILLISECONDS), ports);
