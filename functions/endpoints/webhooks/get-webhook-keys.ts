import * as v from 'valibot';
import { readEnvironment } from '../../environment.ts';
import { publicHandler } from '../../gate/public-handler.ts';
import { JSON_TYPE } from '../../http/response.ts';

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=3600' };

const { WEBHOOK_KEYS } = readEnvironment({ WEBHOOK_KEYS: v.string() });

export const handler = publicHandler(async () => ({ status: 200, headers: HEADERS, body: WEBHOOK_KEYS }));
