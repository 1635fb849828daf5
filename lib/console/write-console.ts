import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { build, stop } from 'esbuild';
import { SITE, type SiteFile } from '../../functions/site.ts';
import { ROOT, replaceFile } from '../bundle.ts';
import { CONSOLE_PATH } from './page-headers.ts';

const SOURCE = join(ROOT, 'console');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** A file's name has a digest of its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Puts the console beside the program that publishes it. */
export async function writeConsole(bundles: string): Promise<void> {
  const site = JSON.stringify(await consoleFiles());
  replaceFile(join(bundles, 'publish-console', SITE), Buffer.from(site));
}

/** The scripts and styles, and after them the page that loads them. */
export async function consoleFiles(): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: [join(SOURCE, 'main.tsx')],
    outdir: '/',
    absWorkingDir: ROOT,
    tsconfig: join(SOURCE, 'tsconfig.json'),
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
  // Its process would keep ours alive.
  await stop();
  const assets = outputFiles.map(({ path, text }) => asset(basename(path), text));
  const icon = readFileSync(join(SOURCE, 'icon.svg'), 'utf8');
  return [...assets, { ...asset('icon.svg', icon), cache_control: 'no-cache' }, page(assets)];
}

function asset(name: string, body: string): SiteFile {
  const key = `${CONSOLE_PATH.slice(1)}/${name}`;
  const content_type = TYPES[extname(name)];
  if (content_type === undefined) throw new Error(`The console has a file of no known type: ${name}`);
  return { key, content_type, cache_control: FOR_EVER, body };
}

/** Its key is that of the path itself, so that neither CloudFront nor S3 has to rewrite anything. */
function page(assets: readonly SiteFile[]): SiteFile {
  const entry = (ending: string): string => {
    const found = assets.find(({ key }) => key.startsWith('console/main-') && key.endsWith(ending));
    if (found === undefined) throw new Error(`The console has no main file that ends in ${ending}`);
    return `/${found.key}`;
  };
  const body = readFileSync(join(SOURCE, 'index.html'), 'utf8')
    .replace('main.css', entry('.css'))
    .replace('main.js', entry('.js'));
  return {
    key: CONSOLE_PATH.slice(1),
    content_type: 'text/html; charset=utf-8',
    cache_control: 'no-cache',
    body,
  };
}
