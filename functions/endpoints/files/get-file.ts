import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { fileScope } from '../../files/file-scope.ts';
import { FileStore } from '../../files/file-store.ts';
import { describeFile } from '../../files/file-view.ts';
import { findFile, providerFileId } from '../../files/find-file.ts';
import { chooseDialect } from '../../files/shape.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { wireNamesSchema } from '../../wire-names.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { deployedProviderFiles } from './deployed-provider-files.ts';

const { FILES_TABLE, WORKSPACES_TABLE, WIRE_NAMES } = readEnvironment({
  FILES_TABLE: v.string(),
  WORKSPACES_TABLE: v.string(),
  WIRE_NAMES: wireNamesSchema,
});
const files = new FileStore(dynamo, FILES_TABLE);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = deployedProviderFiles();

export const handler = routeHandler('get-file', async (call) => {
  const { workspaceId, provider } = await fileScope(call, workspaces);
  const file =
    provider === undefined
      ? await findFile(call, workspaceId, files)
      : await (await accounts(provider, workspaceId, call.principal)).find(providerFileId(call));
  return json(200, describeFile(file, chooseDialect(call.headers, WIRE_NAMES, provider)));
});
