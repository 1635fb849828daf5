import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { BUNDLES, IMAGE_CONTEXT } from '../../lib/bundling/folders.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { stageConfig } from '../../lib/stage/config.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';

/** The name of the upload server's bundle, which is beside the folder of the functions' bundles. */
export const UPLOAD_SERVER = basename(IMAGE_CONTEXT);

/** The functions and the upload server. Each is rebuilt when one of its source files changes. */
export class Programs {
  /** For each program, the files that its last build read, such as `functions/clock.ts`. */
  readonly #inputs = new Map<string, ReadonlySet<string>>();

  async buildAll(): Promise<void> {
    await this.#build(() => true);
  }

  /** @param files such as `functions/clock.ts` */
  async buildFrom(files: ReadonlySet<string>): Promise<void> {
    // An unknown file may be a new function.
    const isNew = [...files].some((file) => /\/endpoints\//.test(file) && !this.#isKnown(file));
    await this.#build((name) => isNew || [...files].some((file) => this.#inputs.get(name)?.has(file)));
  }

  async bundles(): Promise<Bundle[]> {
    const server = await bundlesIn(dirname(IMAGE_CONTEXT));
    return [...(await bundlesIn(BUNDLES)), ...server.filter(({ name }) => name === UPLOAD_SERVER)];
  }

  async #build(isWanted: (name: string) => boolean): Promise<void> {
    this.#note(await bundleFunctions(stageConfig('local').videos.models, isWanted));
    if (isWanted(UPLOAD_SERVER)) this.#note(await prepareImageContext());
  }

  #note({ outputs }: Metafile): void {
    for (const [file, { inputs }] of Object.entries(outputs)) {
      this.#inputs.set(basename(dirname(file)), new Set(Object.keys(inputs)));
    }
  }

  #isKnown(file: string): boolean {
    return [...this.#inputs.values()].some((inputs) => inputs.has(file));
  }
}

/** A bundled program: its name, its file, and a digest of its contents. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly digest: string;
}

/** The bundles in a folder that has a folder for each: `<name>/index.mjs`. */
async function bundlesIn(folder: string): Promise<Bundle[]> {
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
