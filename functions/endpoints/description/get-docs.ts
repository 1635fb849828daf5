import { publicHandler } from '../../gate/lambda.ts';
import { bundledFile } from './bundled-file.ts';
import { PAGE_HEADERS } from './page-policy.ts';

const body = bundledFile('docs.html').toString();

export const handler = publicHandler('get-docs', async () => ({ status: 200, headers: PAGE_HEADERS, body }));
