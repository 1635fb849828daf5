import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { publicHandler } from '../../deployed/gate.ts';
import { NotFound } from '../../http/errors.ts';
import { bundledFile, CACHEABLE, PAGE_HEADERS } from './bundled-file.ts';
import { routes } from './definition.ts';

const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  js: { 'content-type': 'text/javascript; charset=utf-8', ...CACHEABLE },
  css: { 'content-type': 'text/css; charset=utf-8', ...CACHEABLE },
  html: PAGE_HEADERS,
};

/** The files of the page, stored as gzip. */
const assets = v.parse(
  v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  bundledFile('assets.json').toString(),
);

export const handler = publicHandler(routes['get-docs-asset'], async ({ path, headers }) => {
  // Only names that were written at build time are served: nothing from a caller becomes a path.
  const name = assets.find((each) => each === path.asset);
  const type = TYPES[name?.split('.').at(-1) ?? ''];
  if (name === undefined || type === undefined)
    throw new NotFound('The reference has no such file; see /api/v1/docs');
  const body = bundledFile(`${name}.gz`);
  const shared = { ...type, vary: 'accept-encoding' };
  return /\bgzip\b/.test(headers['accept-encoding'] ?? '')
    ? { status: 200, headers: { ...shared, 'content-encoding': 'gzip' }, body }
    : { status: 200, headers: shared, body: gunzipSync(body) };
});
