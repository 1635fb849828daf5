import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { s3 } from '../../aws/s3.ts';
import { readEnvironment } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { fileScope } from '../../files/file-scope.ts';
import { FileStore } from '../../files/file-store.ts';
import { describeDeleted } from '../../files/file-view.ts';
import { fileNotFound, findFile, providerFileId } from '../../files/find-file.ts';
import { ObjectStore } from '../../files/object-store.ts';
import { chooseDialect } from '../../files/shape.ts';
import { routeHandler } from '../../gate/lambda.ts';
import type { Call } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wireNamesSchema } from '../../wire-names.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { deployedProviderFiles } from './deployed-provider-files.ts';

const { FILES_TABLE, FILES_BUCKET, WORKSPACES_TABLE, WIRE_NAMES } = readEnvironment({
  FILES_TABLE: v.string(),
  FILES_BUCKET: v.string(),
  WORKSPACES_TABLE: v.string(),
  WIRE_NAMES: wireNamesSchema,
});
const files = new FileStore(dynamo, FILES_TABLE);
const objects = new ObjectStore(s3, FILES_BUCKET);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = deployedProviderFiles();

export const handler = routeHandler('delete-file', async (call) => {
  const { workspaceId, provider } = await fileScope(call, workspaces);
  const dialect = chooseDialect(call.headers, WIRE_NAMES, provider);
  if (provider === undefined) return json(200, describeDeleted(await removeOurs(call, workspaceId), dialect));
  const id = providerFileId(call);
  await (await accounts(provider, workspaceId, call.principal)).remove(id);
  return json(200, describeDeleted(id, dialect));
});

async function removeOurs(call: Call, workspaceId: string): Promise<string> {
  const file = await findFile(call, workspaceId, files);
  // The object first: after a crash in between the row is still there, and deleting again completes it.
  await objects.remove(objectKey(file.workspace_id, file.id));
  if (!(await files.remove(file))) throw fileNotFound();
  return file.id;
}
