import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, stop } from 'esbuild';
import { ROOT } from './folders.ts';

type Programs = { in: string; out: string }[];
type Options = Pick<BuildOptions, 'alias' | 'minify' | 'plugins' | 'target' | 'splitting' | 'chunkNames'>;

/**
 * Bundles programs and all their imports as `.mjs` files, for the Node.js that they are deployed on.
 * @returns esbuild's metafile, which lists the inputs of each
 */
export async function bundle(
  entryPoints: Programs,
  outdir: string,
  options?: Options,
  write = replaceFile,
): Promise<Metafile> {
  const { outputFiles, metafile } = await compile(entryPoints, outdir, options);
  // esbuild's process would keep ours alive.
  await stop();
  for (const { path, contents } of outputFiles) write(path, contents);
  return metafile;
}

/** The same, but writes nothing. Leaves esbuild's process running. */
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
    // `debug` takes it where it finds it, so that a development tool's copy would get into the bundles.
    external: ['supports-color'],
    keepNames: true,
    // If a package has ES modules and CommonJS, its ES modules tree-shake better; some of them still call `require`.
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Replaces the file atomically, because parallel runs in one checkout read each other's bundles. */
export function replaceFile(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  // Not `.mjs`, and outside the asset's folder, because CDK hashes the whole folder.
  const draft = `${dirname(path)}.${process.pid}.tmp`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** `node_modules/…` up to the package's own name; empty for a file of ours. */
export const packageFolder = (file: string): string =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '';
