import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import {
  accountStore,
  destinationStore,
  guardrailStore,
  keyStore,
  listStore,
  providerKeyStore,
  removalStore,
  workspaceStore,
} from '../../deployed/stores.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { resultPrefixes } from '../../videos/bucket-layout.ts';
import { removeWorkspace } from '../../workspaces/remove-workspace.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';
import { workspaceDeletionQuery } from '../../workspaces/workspace.ts';
import { routes } from './definition.ts';

const ports = {
  workspaces: workspaceStore(),
  lists: listStore(),
  keys: keyStore(),
  removals: removalStore(),
  providerKeys: providerKeyStore(),
  guardrails: guardrailStore(),
  webhooks: webhookSettings(),
  broadcasts: destinationStore(),
  accounts: accountStore(),
  linked: [
    new StoredObjects(s3, setting('filesBucket'), (workspaceId) => [objectKey(workspaceId, '')]),
    new StoredObjects(s3, setting('resultsBucket'), resultPrefixes),
  ],
  now: systemClock,
};

export const handler = routeHandler(routes['delete-workspace'], async (call) => {
  query(call, workspaceDeletionQuery);
  await removeWorkspace(call.principal, call.path.workspace, ports);
  return json(200, { deleted: true });
});
