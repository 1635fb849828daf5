import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildForBrowsers, pageOf } from '../../lib/bundling/browser-build.ts';
import { ROOT } from '../../lib/bundling/bundle.ts';

const SOURCE = join(import.meta.dirname, 'page');
const ICON = join(ROOT, 'console/icon.svg');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The page and the files that it loads, by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const built = await buildForBrowsers(SOURCE);
  const assets = built.map(({ name, body }): [string, PageFile] => [
    `/${name}`,
    { type: `${TYPES[extname(name)]}; charset=utf-8`, body },
  ]);
  const page = { type: 'text/html; charset=utf-8', body: pageOf(SOURCE, built, '') };
  const icon = { type: 'image/svg+xml', body: readFileSync(ICON, 'utf8') };
  return new Map([...assets, ['/', page], ['/icon.svg', icon]]);
}
