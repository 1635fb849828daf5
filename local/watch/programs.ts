import { basename, dirname } from 'node:path';
import type { Metafile } from 'esbuild';
import { BUNDLES } from '../../lib/bundling/bundle.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { stageConfig } from '../../lib/stage/config.ts';
import { IMAGE_CONTEXT, prepareImageContext } from '../../lib/upload-server/image-context.ts';
import { type Bundle, bundlesIn } from './bundles.ts';

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
