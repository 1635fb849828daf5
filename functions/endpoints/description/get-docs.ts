import { publicHandler } from '../../deployed/gate.ts';
import { bundledFile } from './bundled-file.ts';
import { routes } from './definition.ts';
import { PAGE_HEADERS } from './page-policy.ts';

const body = bundledFile('docs.html').toString();

export const handler = publicHandler(routes['get-docs'], async () => ({
  status: 200,
  headers: PAGE_HEADERS,
  body,
}));
