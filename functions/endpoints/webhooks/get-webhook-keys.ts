import { publicHandler } from '../../deployed/gate.ts';
import { setting } from '../../environment.ts';
import { JSON_TYPE } from '../../http/response.ts';
import { routes } from './definition.ts';

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=3600' };

const body = setting('webhookKeys');

export const handler = publicHandler(routes['get-webhook-keys'], async () => ({
  status: 200,
  headers: HEADERS,
  body,
}));
