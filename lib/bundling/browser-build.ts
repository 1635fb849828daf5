import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, stop } from 'esbuild';
import { ROOT } from './folders.ts';

/** A script or a style. Its name contains a digest of its content. */
export interface BuiltFile {
  readonly name: string;
  readonly body: string;
}

/** Builds `main.tsx` of a folder and all its imports for browsers. */
export async function buildForBrowsers(source: string): Promise<BuiltFile[]> {
  const { outputFiles } = await build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: '/',
    absWorkingDir: ROOT,
    tsconfig: join(source, 'tsconfig.json'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  // esbuild's process would keep ours alive.
  await stop();
  return outputFiles.map(({ path, text }) => ({ name: basename(path), body: text }));
}

/** The folder's `index.html` with links to the built files below `path`. */
export function pageOf(source: string, files: readonly BuiltFile[], path: string): string {
  const entry = (ending: string): string => {
    const found = files.find(({ name }) => name.startsWith('main-') && name.endsWith(ending));
    if (found === undefined)
      throw new Error(`The build of ${source} produced no main file with the extension ${ending}`);
    return `${path}/${found.name}`;
  };
  return readFileSync(join(source, 'index.html'), 'utf8')
    .replace('main.css', entry('.css'))
    .replace('main.js', entry('.js'));
}
