import { fileDialects, fileStore } from '../../deployed/stores.ts';
import { findFile, providerFileId } from '../../files/file-requests.ts';
import { checksumHeaders, describeFile } from '../../files/shown-file.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { fileHandler } from './file-handler.ts';

const files = fileStore();
const dialectOf = fileDialects();

export const handler = fileHandler(routes['get-file'], async (call, { workspaceId, provider, account }) => {
  const file =
    account === undefined
      ? await findFile(call, workspaceId, files)
      : await account.find(providerFileId(call));
  return json(200, describeFile(file, dialectOf(call.headers, provider)), checksumHeaders(file));
});
