import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { FILE_ID } from '../../files/file.ts';
import { fileScope } from '../../files/file-scope.ts';
import { FileStore } from '../../files/file-store.ts';
import { describeFiles } from '../../files/file-view.ts';
import { PROVIDER_FILE_ID } from '../../files/find-file.ts';
import { type ListQuery, listQuery } from '../../files/list-query.ts';
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
const store = new FileStore(dynamo, FILES_TABLE);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = deployedProviderFiles();

export const handler = routeHandler('list-files', async (call) => {
  const { workspaceId, provider } = await fileScope(call, workspaces);
  const page = listQuery(call, provider === undefined ? FILE_ID : PROVIDER_FILE_ID);
  const { files, hasMore } =
    provider === undefined
      ? await listOurs(workspaceId, page)
      : await (await accounts(provider, workspaceId, call.principal)).list(page);
  return json(200, describeFiles(files, hasMore, chooseDialect(call.headers, WIRE_NAMES, provider)));
});

/** One more than asked for tells whether there is a next page. */
async function listOurs(workspaceId: string, { after, limit }: ListQuery) {
  const found = await store.list(workspaceId, after, limit + 1);
  return { files: found.slice(0, limit), hasMore: found.length > limit };
}
