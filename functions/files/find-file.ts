import type { AuthenticatedCall } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { FILE_ID, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';

/** The file that a path names, in the caller's workspace. A foreign one and an unknown one answer alike. */
export async function findFile(
  { path, principal }: AuthenticatedCall,
  files: Pick<FileStore, 'find'>,
): Promise<StoredFile> {
  const id = path.file ?? '';
  const file = FILE_ID.test(id) ? await files.find(principal.workspaceId, id) : undefined;
  if (file === undefined) throw new NotFound('No such file');
  return file;
}
