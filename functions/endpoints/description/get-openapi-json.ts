import { publicHandler } from '../../deployed/gate.ts';
import { JSON_TYPE } from '../../http/response.ts';
import { bundledFile, CACHEABLE } from './bundled-file.ts';
import { routes } from './definition.ts';

const body = bundledFile('openapi.json').toString();
const headers = { 'content-type': JSON_TYPE, ...CACHEABLE };

export const handler = publicHandler(routes['get-openapi-json'], async () => ({
  status: 200,
  headers,
  body,
}));
