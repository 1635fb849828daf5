import { randomUUID } from 'node:crypto';
import { fileDialects, fileStore, objectStore } from '../../deployed/stores.ts';
import { fileNotFound, findFile, providerFileId } from '../../files/file-requests.ts';
import { deleteFile } from '../../files/remove-file.ts';
import { describeDeleted } from '../../files/shown-file.ts';
import type { Call } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { fileHandler } from './file-handler.ts';

const files = fileStore();
const objects = objectStore();
const dialectOf = fileDialects();

export const handler = fileHandler(
  routes['delete-file'],
  async (call, { workspaceId, provider, account }) => {
    if (account === undefined) await removeOurs(call, workspaceId);
    else await account.remove(providerFileId(call));
    return json(200, describeDeleted(call.path.file, dialectOf(call.headers, provider)));
  },
);

async function removeOurs(call: Call<{ file: string }>, workspaceId: string): Promise<void> {
  const file = await findFile(call, workspaceId, files);
  const ports = { files, objects, newToken: randomUUID, log: call.log };
  if (!(await deleteFile(file, ports))) throw fileNotFound();
}
