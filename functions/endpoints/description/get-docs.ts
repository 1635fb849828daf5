import { gzipSync } from 'node:zlib';
import { publicHandler } from '../../deployed/gate.ts';
import { bundledFile, PAGE_HEADERS } from './bundled-file.ts';
import { routes } from './definition.ts';

/** In place of the address of this deployment, in the samples; `lib/description/samples.ts` writes it. */
const ADDRESS = '{{address}}';

const page = bundledFile('docs.html').toString();
const headers = { ...PAGE_HEADERS, vary: 'accept-encoding' };

export const handler = publicHandler(routes['get-docs'], async (call) => {
  const body = page.replaceAll(ADDRESS, `${call.publicUrl}/api/v1`);
  return /\bgzip\b/.test(call.headers['accept-encoding'] ?? '')
    ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }
    : { status: 200, headers, body };
});
