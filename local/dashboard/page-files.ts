import { extname, join } from 'node:path';
import { buildForBrowsers, pageOf } from '../../lib/console/browser-build.ts';

const SOURCE = join(import.meta.dirname, 'page');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The page and what it loads, by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const built = await buildForBrowsers(SOURCE);
  const assets = built.map(({ name, body }): [string, PageFile] => [
    `/${name}`,
    { type: `${TYPES[extname(name)]}; charset=utf-8`, body },
  ]);
  return new Map([...assets, ['/', { type: 'text/html; charset=utf-8', body: pageOf(SOURCE, built, '') }]]);
}
