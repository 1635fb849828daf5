import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { SITE, type SiteFile } from '../../functions/site.ts';
import { type BuiltFile, buildForBrowsers, pageOf } from '../bundling/browser-build.ts';
import { replaceFile } from '../bundling/bundle.ts';
import { ROOT } from '../bundling/folders.ts';
import { CONSOLE_PATH } from './page-headers.ts';

const SOURCE = join(ROOT, 'console');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** For files whose name contains a digest of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Writes the console beside the program that publishes it. */
export async function writeConsole(bundles: string): Promise<void> {
  const site = JSON.stringify(await consoleFiles());
  replaceFile(join(bundles, 'publish-console', SITE), Buffer.from(site));
}

/** The scripts and styles first, then the page that loads them. */
export async function consoleFiles(): Promise<SiteFile[]> {
  const built = await buildForBrowsers(SOURCE);
  const icon = asset({ name: 'icon.svg', body: readFileSync(join(SOURCE, 'icon.svg'), 'utf8') });
  return [...built.map(asset), { ...icon, cache_control: 'no-cache' }, page(built)];
}

function asset({ name, body }: BuiltFile): SiteFile {
  const key = `${CONSOLE_PATH.slice(1)}/${name}`;
  const content_type = TYPES[extname(name)];
  if (content_type === undefined) throw new Error(`The console has a file of unknown type: ${name}`);
  return { key, content_type, cache_control: FOR_EVER, body };
}

/** The page's key is the path itself, so that neither CloudFront nor S3 has to rewrite anything. */
function page(built: readonly BuiltFile[]): SiteFile {
  return {
    key: CONSOLE_PATH.slice(1),
    content_type: 'text/html; charset=utf-8',
    cache_control: 'no-cache',
    body: pageOf(SOURCE, built, CONSOLE_PATH),
  };
}
