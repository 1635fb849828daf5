import * as v from 'valibot';
import { kms } from '../../aws/kms.ts';
import { readEnvironment } from '../../environment.ts';
import { publicHandler } from '../../gate/public-handler.ts';
import { json } from '../../http/response.ts';
import { kmsDerivation } from '../../webhooks/settings/derive-bytes.ts';
import { deploymentKey } from '../../webhooks/signature/deployment-key.ts';
import { keySet } from '../../webhooks/signature/key-set.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=3600' };

const environment = readEnvironment({ SIGNING_KEY_ID: v.string() });
const derive = kmsDerivation(kms, environment.SIGNING_KEY_ID);

export const handler = publicHandler(async () => json(200, keySet(await deploymentKey(derive)), CACHEABLE));
