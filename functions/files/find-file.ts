import type { Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { FILE_ID, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';

/** The form that the providers' ids have in common. */
export const PROVIDER_FILE_ID = /^[\w-]{1,128}$/;

export const fileNotFound = () => new NotFound('No such file');

/**
 * The file that a path names, in a workspace. The answer is the same for somebody else's file and for one that does not
 * exist.
 */
export async function findFile(
  { path }: Call<{ file: string }>,
  workspaceId: string,
  files: Pick<FileStore, 'find'>,
): Promise<StoredFile> {
  const file = FILE_ID.test(path.file) ? await files.find(workspaceId, path.file) : undefined;
  if (file === undefined) throw fileNotFound();
  return file;
}

/** The id in a path, of a file at a provider. */
export function providerFileId({ path }: Call<{ file: string }>): string {
  if (!PROVIDER_FILE_ID.test(path.file)) throw fileNotFound();
  return path.file;
}
