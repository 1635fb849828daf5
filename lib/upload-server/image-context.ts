import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildIfChanged } from '../bundling/build-if-changed.ts';
import { bundle, replaceFile } from '../bundling/bundle.ts';
import { IMAGE_CONTEXT, ROOT } from '../bundling/folders.ts';

export const SERVER_PROGRAM = join(IMAGE_CONTEXT, 'index.mjs');

/** The flags with which the image starts the server, so that it runs the same everywhere. */
export const NODE_FLAGS = ['--initial-old-space-size=128'];

/**
 * Unlike the functions, the server keeps the SDK's whole chain of credential providers, because a container finds its
 * credentials at an address and not in its environment. It starts rarely, so it is not minified: stack traces stay
 * readable.
 */
export async function prepareImageContext(): Promise<Metafile> {
  const program = { in: join(ROOT, 'functions/endpoints/files/upload-server/main.ts'), out: 'index' };
  const metafile = await buildIfChanged(IMAGE_CONTEXT, {}, (write) =>
    bundle([program], IMAGE_CONTEXT, {}, write),
  );
  replaceFile(join(IMAGE_CONTEXT, 'Dockerfile'), readFileSync(join(import.meta.dirname, 'Dockerfile')));
  return metafile;
}
