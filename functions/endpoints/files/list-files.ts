import { fileDialects, fileStore, storageQuota } from '../../deployed/stores.ts';
import { FILE_ID, type StoredFile } from '../../files/file.ts';
import { type ListQuery, listQuery, PROVIDER_FILE_ID } from '../../files/file-requests.ts';
import { describeFiles } from '../../files/shown-file.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { fileHandler } from './file-handler.ts';

const store = fileStore();
const dialectOf = fileDialects();
const quotaBytes = storageQuota();

export const handler = fileHandler(routes['list-files'], async (call, { workspaceId, provider, account }) => {
  const page = listQuery(call, account === undefined ? FILE_ID : PROVIDER_FILE_ID);
  const dialect = dialectOf(call.headers, provider);
  if (account !== undefined) {
    const { files, hasMore } = await account.list(page);
    return json(200, describeFiles(files, hasMore, dialect));
  }
  if (page.scopeId !== undefined)
    call.warnings.push('scope_id matches no file: files that Genway stores have no scope');
  const { files, hasMore, storedBytes } = await listOurs(workspaceId, page);
  return json(200, describeFiles(files, hasMore, dialect), storageHeaders(storedBytes));
});

/** One more than was asked for tells whether there is a next page. */
async function listOurs(workspaceId: string, { limit, ids, scopeId, ...page }: ListQuery) {
  if (scopeId !== undefined) return onePage([]);
  if (ids !== undefined) return onePage(await store.findAll(workspaceId, ids, page));
  const { files, storedBytes } = await store.list(workspaceId, { ...page, limit: limit + 1 });
  return { files: files.slice(0, limit), hasMore: files.length > limit, storedBytes };
}

const onePage = (files: readonly StoredFile[]) => ({ files, hasMore: false, storedBytes: undefined });

function storageHeaders(used: number | undefined): Record<string, string> {
  if (used === undefined) return {};
  return { 'x-storage-used': String(used), 'x-storage-limit': String(quotaBytes) };
}
