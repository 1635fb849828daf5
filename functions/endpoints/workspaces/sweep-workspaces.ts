import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { FileStore } from '../../files/file-store.ts';
import { workspacePrefixes } from '../../videos/bucket-layout.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { type PurgePorts, purgeWorkspace } from '../../workspaces/purge-workspace.ts';
import { RemovalStore } from '../../workspaces/removal-store.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';
import { providerKeyStore } from '../provider-keys/deployed-store.ts';

/** Within the function's own time-out, with room for the call that is under way. */
const RUN_MILLISECONDS = 30_000;

const environment = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
  FILES_TABLE: v.string(),
  FILES_BUCKET: v.string(),
  RESULTS_BUCKET: v.string(),
});
const removals = new RemovalStore(dynamo, environment.WORKSPACES_TABLE);
const ports: PurgePorts = {
  removals,
  providerKeys: providerKeyStore(),
  webhooks: new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE),
  holdings: [
    new StoredObjects(s3, environment.FILES_BUCKET, (workspaceId) => [objectKey(workspaceId, '')]),
    new FileStore(dynamo, environment.FILES_TABLE),
    new StoredObjects(s3, environment.RESULTS_BUCKET, workspacePrefixes),
  ],
  now: systemClock,
};

/** One that cannot be purged does not keep the others waiting. */
export const handler = async (): Promise<void> => {
  const deadline = new Date(systemClock().getTime() + RUN_MILLISECONDS);
  for await (const removal of removals.list()) {
    if (systemClock() >= deadline) return;
    try {
      const isDone = await purgeWorkspace(removal, deadline, ports);
      if (isDone) log.info('workspace purged', { workspace_id: removal.id });
    } catch (error) {
      log.error('workspace not purged yet', { workspace_id: removal.id, error });
    }
  }
};
