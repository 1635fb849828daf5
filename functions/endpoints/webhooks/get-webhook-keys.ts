import { kms } from '../../aws/kms.ts';
import { setting } from '../../environment.ts';
import { publicHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { kmsDerivation } from '../../webhooks/settings/derive-bytes.ts';
import { deploymentKey } from '../../webhooks/signature/deployment-key.ts';
import { keySet } from '../../webhooks/signature/key-set.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=3600' };

const derive = kmsDerivation(kms, setting('signingKeyId'));

export const handler = publicHandler('get-webhook-keys', async () =>
  json(200, keySet(await deploymentKey(derive)), CACHEABLE),
);
