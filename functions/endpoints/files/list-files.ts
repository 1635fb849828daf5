import { FILE_ID } from '../../files/file.ts';
import { describeFiles } from '../../files/file-view.ts';
import { PROVIDER_FILE_ID } from '../../files/find-file.ts';
import { type ListQuery, listQuery } from '../../files/list-query.ts';
import { json } from '../../http/response.ts';
import { dialects, fileStore } from './deployed.ts';
import { fileHandler } from './file-handler.ts';

const store = fileStore();
const dialectOf = dialects();

export const handler = fileHandler('list-files', async (call, { workspaceId, provider, account }) => {
  const page = listQuery(call, account === undefined ? FILE_ID : PROVIDER_FILE_ID);
  const { files, hasMore } =
    account === undefined ? await listOurs(workspaceId, page) : await account.list(page);
  return json(200, describeFiles(files, hasMore, dialectOf(call.headers, provider)));
});

/** One more than was asked for tells whether there is a next page. */
async function listOurs(workspaceId: string, { limit, ...page }: ListQuery) {
  const found = await store.list(workspaceId, { ...page, limit: limit + 1 });
  return { files: found.slice(0, limit), hasMore: found.length > limit };
}
