import { publicHandler } from '../../deployed/gate.ts';
import { bundledFile, CACHEABLE } from './bundled-file.ts';
import { routes } from './definition.ts';

const body = bundledFile('openapi.yaml').toString();
const headers = { 'content-type': 'application/yaml; charset=utf-8', ...CACHEABLE };

export const handler = publicHandler(routes['get-openapi-yaml'], async () => ({
  status: 200,
  headers,
  body,
}));
