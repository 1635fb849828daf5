import * as v from 'valibot';
import { kms } from '../aws/kms.ts';
import { readEnvironment } from '../environment.ts';
import { publicHandler } from '../http/public-handler.ts';
import { json } from '../http/response.ts';
import { kmsDerivation } from './settings/derive-bytes.ts';
import { deploymentKey } from './signature/deployment-key.ts';
import { keySet } from './signature/key-set.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=3600' };

const environment = readEnvironment({ SIGNING_KEY_ID: v.string() });
const derive = kmsDerivation(kms, environment.SIGNING_KEY_ID);

export const handler = publicHandler(async () => json(200, keySet(await deploymentKey(derive)), CACHEABLE));
