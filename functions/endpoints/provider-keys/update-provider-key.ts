import * as v from 'valibot';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import {
  findProviderKey,
  providerKeyId,
  providerKeyNotFound,
} from '../../provider-keys/find-provider-key.ts';
import {
  describeProviderKey,
  labelSecret,
  providerKeyChangeSchema,
} from '../../provider-keys/provider-key.ts';
import { seal } from '../../provider-keys/secret-box.ts';
import { providerKeyStore } from './deployed-store.ts';

const { PROVIDER_KEYS_KMS_KEY } = readEnvironment({ PROVIDER_KEYS_KMS_KEY: v.string() });
const providerKeys = providerKeyStore();

export const handler = routeHandler('update-provider-key', async (call) => {
  const { key: secret, ...settings } = jsonBody(call, providerKeyChangeSchema);
  const id = providerKeyId(call.path.id);
  const change = { ...settings, ...(secret === undefined ? {} : await sealedAnew(id, secret)) };
  const changed = await providerKeys.update(id, change, systemClock());
  if (changed === undefined) throw providerKeyNotFound();
  return json(200, { data: describeProviderKey(changed) });
});

async function sealedAnew(id: string, secret: string) {
  const owner = await findProviderKey(providerKeys, id);
  return { label: labelSecret(secret), ciphertext: await seal(kms, PROVIDER_KEYS_KMS_KEY, owner, secret) };
}
