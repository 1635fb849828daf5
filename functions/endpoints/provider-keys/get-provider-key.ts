import { routeHandler } from '../../deployed/gate.ts';
import { providerKeyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { findProviderKey } from '../../provider-keys/find-provider-key.ts';
import { describeProviderKey } from '../../provider-keys/shown-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler(routes['get-provider-key'], async ({ path, principal }) =>
  json(200, { data: describeProviderKey(await findProviderKey(principal, providerKeys, path.id)) }),
);
