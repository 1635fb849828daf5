import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Metafile, type Plugin, stop } from 'esbuild';
import { mergeModels, type Offer } from '../functions/videos/catalogue/offer.ts';
import { buildIfChanged } from './bundling/build-if-changed.ts';
import { compile, replaceFile } from './bundling/bundle.ts';
import { BUNDLES, ROOT } from './bundling/folders.ts';
import { writeConsole } from './console/write-console.ts';
import { writeDescription } from './description/write-description.ts';

/**
 * Bundles every Lambda in one pass of esbuild into `dist/functions/<name>/index.mjs`.
 *
 * CDK's own construct runs esbuild once for each function, and thirty processes take thirty times as long. The tests
 * run these same files. The AWS SDK is bundled too, so that the tests run exactly what is deployed.
 *
 * @param isWanted selects the functions, to build only some of them
 */
export async function bundleFunctions(
  models: readonly Offer[] = [],
  isWanted: (name: string) => boolean = () => true,
): Promise<Metafile> {
  const isWhole = entryPoints().every(({ out }) => isWanted(dirname(out)));
  const metafile = isWhole
    ? await buildIfChanged(BUNDLES, models, (write) => bundleWanted(models, isWanted, write))
    : await bundleWanted(models, isWanted);
  writeDescription(BUNDLES);
  await writeConsole(BUNDLES);
  return metafile;
}

async function bundleWanted(
  models: readonly Offer[],
  isWanted: (name: string) => boolean,
  write = replaceFile,
): Promise<Metafile> {
  const wanted = entryPoints().filter(({ out }) => isWanted(dirname(out)));
  const options = {
    minify: true,
    alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'functions/aws/lambda-credentials.ts') },
    plugins: [lazyHttp, stageModels(models)],
  };
  const { outputFiles, metafile } = await compile(wanted, BUNDLES, options);
  const split = new Set(wanted.map(({ out }) => out).filter((out) => importsLater(metafile, out)));
  for (const { path, contents } of outputFiles) {
    if (split.has(outOf(path))) continue;
    write(path, contents);
    removeChunks(dirname(path));
  }
  const programs = wanted.filter(({ out }) => split.has(out));
  await Promise.all(programs.map(({ in: file, out }) => writeSplit(file, dirname(out), options, write)));
  // esbuild's process would keep ours alive.
  await stop();
  return metafile;
}

const outOf = (path: string): string => `${basename(dirname(path))}/index`;

/**
 * Whether our own code imports something lazily. Most calls do not need such a module, so Lambda should not load it for
 * them. Lazy imports of libraries save too little to be worth a split.
 */
function importsLater({ inputs, outputs }: Metafile, out: string): boolean {
  const [, output] = Object.entries(outputs).find(([path]) => outOf(path) === out) ?? [];
  return Object.keys(output?.inputs ?? {}).some(
    (file) =>
      file.startsWith('functions/') &&
      inputs[file]?.imports.some(({ kind }) => kind === 'dynamic-import') === true,
  );
}

const CHUNK = /^later-\w+\.mjs$/;

/** Writes a program with its lazy imports as separate files beside it. */
async function writeSplit(
  file: string,
  name: string,
  options: Parameters<typeof compile>[2],
  write: typeof replaceFile,
): Promise<void> {
  const folder = join(BUNDLES, name);
  const { outputFiles } = await compile([{ in: file, out: 'index' }], folder, {
    ...options,
    splitting: true,
    chunkNames: 'later-[hash]',
  });
  // Write the program last, so that a reader of it always finds its imports.
  for (const { path, contents } of outputFiles.toReversed()) write(path, contents);
  removeChunks(folder, new Set(outputFiles.map(({ path }) => basename(path))));
}

/** Removes chunks of earlier builds, which CDK would deploy too. */
function removeChunks(folder: string, kept: ReadonlySet<string> = new Set()): void {
  for (const file of readdirSync(folder)) {
    if (CHUNK.test(file) && !kept.has(file)) rmSync(join(folder, file));
  }
}

/** A Lambda is a file in `functions/endpoints/` that exports `handler`; it has the file's name. */
function entryPoints(): { in: string; out: string }[] {
  return globSync('functions/endpoints/**/*.ts', { cwd: ROOT })
    .filter((file) => /^export const handler\b/m.test(readFileSync(join(ROOT, file), 'utf8')))
    .map((file) => ({ in: join(ROOT, file), out: join(basename(file, '.ts'), 'index') }));
}

/**
 * An ES module that imports `node:http` makes Node.js read all its exports, including `WebSocket`, which loads undici.
 * That takes about 20 ms of a cold start. As a built-in object it loads only what the program uses.
 */
const lazyHttp: Plugin = {
  name: 'lazy-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path }) => ({
      path: path.replace('node:', ''),
      namespace: 'lazy-http',
    }));
    onLoad({ filter: /.*/, namespace: 'lazy-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** Adds a stage's own models to the catalogue during bundling; a row with a known id replaces the existing row. */
export function stageModels(models: readonly Offer[]): Plugin {
  return {
    name: 'stage-models',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]catalogue[\\/]models\.json$/ }, ({ path }) => {
        const known: Offer[] = JSON.parse(readFileSync(path, 'utf8'));
        return { contents: JSON.stringify(mergeModels(known, models)), loader: 'json' };
      });
    },
  };
}
