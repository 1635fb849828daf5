import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { s3 } from '../aws/s3.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { linkAnswer } from '../http/signed-link.ts';
import { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { objectKey } from './file.ts';
import { fileScope } from './file-scope.ts';
import { FileStore } from './file-store.ts';
import { findFile } from './find-file.ts';
import { ObjectStore } from './object-store.ts';

const { FILES_TABLE, FILES_BUCKET, WORKSPACES_TABLE } = readEnvironment({
  FILES_TABLE: v.string(),
  FILES_BUCKET: v.string(),
  WORKSPACES_TABLE: v.string(),
});
const files = new FileStore(dynamo, FILES_TABLE);
const objects = new ObjectStore(s3, FILES_BUCKET);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('get-file-content', async (call) => {
  const file = await findFile(call, await fileScope(call, workspaces), files);
  const key = objectKey(file.workspace_id, file.id);
  return linkAnswer(call, await objects.signedLink(key, file.filename, systemClock()));
});
