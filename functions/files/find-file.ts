import type { Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { FILE_ID, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';

export const fileNotFound = () => new NotFound('No such file');

/** The file that a path names, in a workspace. A foreign one and an unknown one answer alike. */
export async function findFile(
  { path }: Call,
  workspaceId: string,
  files: Pick<FileStore, 'find'>,
): Promise<StoredFile> {
  const id = path.file ?? '';
  const file = FILE_ID.test(id) ? await files.find(workspaceId, id) : undefined;
  if (file === undefined) throw fileNotFound();
  return file;
}
