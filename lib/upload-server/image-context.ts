import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildIfChanged } from '../build-if-changed.ts';
import { bundle, ROOT, replaceFile } from '../bundle.ts';

/** All that the image is built from: the bundled server and its Dockerfile. */
export const IMAGE_CONTEXT = join(ROOT, 'dist', 'upload-server');
export const SERVER_PROGRAM = join(IMAGE_CONTEXT, 'index.mjs');

/** How the image starts it, so that it runs alike everywhere. */
export const NODE_FLAGS = ['--initial-old-space-size=128'];

/**
 * Unlike the functions the server keeps the SDK's whole chain of credential providers: a container finds its
 * credentials at an address, and not in its environment. And it starts rarely, so that its lines are left
 * readable for whoever reads a stack.
 */
export async function prepareImageContext(): Promise<Metafile> {
  const program = { in: join(ROOT, 'functions/endpoints/files/upload-server/main.ts'), out: 'index' };
  const metafile = await buildIfChanged(IMAGE_CONTEXT, {}, () => bundle([program], IMAGE_CONTEXT));
  replaceFile(join(IMAGE_CONTEXT, 'Dockerfile'), readFileSync(join(import.meta.dirname, 'Dockerfile')));
  return metafile;
}
