import { join, resolve } from 'node:path';

/** The checkout, or the package that was made of it. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The bundled functions: each is the folder of its name. */
export const BUNDLES = join(ROOT, 'dist', 'functions');

/** The inputs of the upload server's image: the bundled server and its Dockerfile. */
export const IMAGE_CONTEXT = join(ROOT, 'dist', 'upload-server');

/** The packages that decode videos, as a layer: one file, because a package of ours cannot contain a folder of packages. */
export const DECODER_LAYER = join(ROOT, 'dist', 'decoder.zip');
