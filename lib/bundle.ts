import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, stop } from 'esbuild';

export const ROOT = resolve(import.meta.dirname, '..');

type Programs = { in: string; out: string }[];
type Options = Pick<BuildOptions, 'alias' | 'minify' | 'plugins' | 'target' | 'splitting' | 'chunkNames'>;

/**
 * Bundles programs for the Node.js they are deployed on, with all that they import, as `.mjs` files. Returns
 * esbuild's account of what went into each.
 */
export async function bundle(entryPoints: Programs, outdir: string, options?: Options): Promise<Metafile> {
  const { outputFiles, metafile } = await compile(entryPoints, outdir, options);
  // Its process would keep ours alive.
  await stop();
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  return metafile;
}

/** The same, with nothing written yet. Leaves esbuild's process running. */
export function compile(
  entryPoints: Programs,
  outdir: string,
  options: Options = {},
): Promise<{ outputFiles: OutputFile[]; metafile: Metafile }> {
  return build({
    target: 'node24',
    ...options,
    entryPoints,
    outdir,
    absWorkingDir: ROOT,
    metafile: true,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    write: false as const,
    platform: 'node',
    format: 'esm',
    keepNames: true,
    // The ES modules of packages that have both shake better; some are CommonJS and call `require`.
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Whole or not at all: several runs in one checkout read each other's bundles. */
export function replaceFile(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  // Not `.mjs`, and outside the asset's folder: CDK hashes all that is in it.
  const draft = `${dirname(path)}.${process.pid}.tmp`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** `node_modules/…` up to the package's own name; empty for a file of ours. */
export const packageFolder = (file: string): string =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '';
