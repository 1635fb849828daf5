import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { secretSealer } from '../../deployed/secrets.ts';
import { providerKeyStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import {
  findProviderKey,
  providerKeyId,
  providerKeyNotFound,
} from '../../provider-keys/find-provider-key.ts';
import {
  labelSecret,
  providerKeyChangeSchema,
  type StoredProviderKey,
} from '../../provider-keys/provider-key.ts';
import { AUDITED_OF_PROVIDER_KEYS, describeProviderKey } from '../../provider-keys/shown-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const seal = secretSealer();

export const handler = routeHandler(routes['update-provider-key'], async (call) => {
  const { key: secret, ...settings } = jsonBody(call, providerKeyChangeSchema);
  const id = providerKeyId(call.path.id);
  const before = await findProviderKey(call.principal, providerKeys, id);
  const change = {
    ...settings,
    ...(secret === undefined ? {} : await sealedAnew(before, secret)),
  };
  const changed = await providerKeys.update(id, change, systemClock());
  if (changed === undefined) throw providerKeyNotFound();
  noteChange(call, AUDITED_OF_PROVIDER_KEYS, before, changed);
  return json(200, { data: describeProviderKey(changed) });
});

async function sealedAnew(owner: StoredProviderKey, secret: string) {
  return { label: labelSecret(secret), ciphertext: await seal(owner, secret) };
}
