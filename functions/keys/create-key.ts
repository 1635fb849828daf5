import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { jsonBody } from '../http/call.ts';
import { InvalidRequest } from '../http/errors.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { describeKey, issueKey, newKeySchema } from './key.ts';
import { KeyStore } from './key-store.ts';

const { KEYS_TABLE, WORKSPACES_TABLE } = readEnvironment({
  KEYS_TABLE: v.string(),
  WORKSPACES_TABLE: v.string(),
});
const keys = new KeyStore(dynamo, KEYS_TABLE);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('create-key', async (call) => {
  const requested = jsonBody(call, newKeySchema);
  const workspaceId = requested.workspace_id ?? call.principal.workspaceId;
  if ((await workspaces.findById(workspaceId)) === undefined) {
    throw new InvalidRequest('workspace_id: no such workspace', { metadata: { path: 'workspace_id' } });
  }
  const { key, stored } = issueKey(
    {
      kind: requested.management ? 'management' : 'normal',
      name: requested.name,
      workspaceId,
      creatorUserId: requested.creator_user_id,
      expiresAt: requested.expires_at,
    },
    systemClock(),
    randomBytes,
  );
  await keys.create(stored);
  return json(201, { data: describeKey(stored), key });
});
