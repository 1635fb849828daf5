import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { wireNamesSchema } from '../wire-names.ts';
import { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { fileScope } from './file-scope.ts';
import { FileStore } from './file-store.ts';
import { describeFiles } from './file-view.ts';
import { listQuery } from './list-query.ts';
import { chooseDialect } from './shape.ts';

const { FILES_TABLE, WORKSPACES_TABLE, WIRE_NAMES } = readEnvironment({
  FILES_TABLE: v.string(),
  WORKSPACES_TABLE: v.string(),
  WIRE_NAMES: wireNamesSchema,
});
const files = new FileStore(dynamo, FILES_TABLE);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('list-files', async (call) => {
  const { limit, after } = listQuery(call);
  const workspaceId = await fileScope(call, workspaces);
  // One more than asked for tells whether there is a next page.
  const found = await files.list(workspaceId, after, limit + 1);
  return json(
    200,
    describeFiles(found.slice(0, limit), found.length > limit, chooseDialect(call.headers, WIRE_NAMES)),
  );
});
