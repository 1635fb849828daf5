import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { secretSealer } from '../../deployed/secrets.ts';
import { providerKeyStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import type { Caller } from '../../http/scope.ts';
import {
  findProviderKey,
  providerKeyId,
  providerKeyNotFound,
} from '../../provider-keys/find-provider-key.ts';
import { labelSecret, providerKeyChangeSchema } from '../../provider-keys/provider-key.ts';
import { describeProviderKey } from '../../provider-keys/shown-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const seal = secretSealer();

export const handler = routeHandler(routes['update-provider-key'], async (call) => {
  const { key: secret, ...settings } = jsonBody(call, providerKeyChangeSchema);
  const id = providerKeyId(call.path.id);
  const change = {
    ...settings,
    ...(secret === undefined ? {} : await sealedAnew(call.principal, id, secret)),
  };
  const changed = await providerKeys.update(id, change, systemClock(), call.principal.scope.workspaces);
  if (changed === undefined) throw providerKeyNotFound();
  return json(200, { data: describeProviderKey(changed) });
});

async function sealedAnew(caller: Caller, id: string, secret: string) {
  const owner = await findProviderKey(caller, providerKeys, id);
  return { label: labelSecret(secret), ciphertext: await seal(owner, secret) };
}
