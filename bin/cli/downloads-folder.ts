import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Where commands save videos unless they are told otherwise. A new one holds a `.gitignore`, so that git leaves it out. */
export async function downloadsFolder(parent = '.'): Promise<string> {
  const folder = resolve(parent, 'downloads');
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await writeFile(join(folder, '.gitignore'), '*\n');
  return folder;
}
