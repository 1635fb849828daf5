import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A bundled program: its name, its file, and a digest of its contents. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly digest: string;
}

/** The bundles in a folder that has a folder for each: `<name>/index.mjs`. */
export async function bundlesIn(folder: string): Promise<Bundle[]> {
  const files = globSync('*/index.mjs', { cwd: folder }).sort();
  return Promise.all(
    files.map(async (path) => {
      const file = join(folder, path);
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return { name: basename(dirname(file)), file, digest };
    }),
  );
}

/** The bundles that are new or have changed. */
export function changedBundles(before: readonly Bundle[], after: readonly Bundle[]): Bundle[] {
  const known = new Map(before.map(({ name, digest }) => [name, digest]));
  return after.filter(({ name, digest }) => known.get(name) !== digest);
}
