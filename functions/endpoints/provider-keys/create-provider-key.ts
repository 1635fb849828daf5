import { randomUUID } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { secretSealer } from '../../deployed/secrets.ts';
import { listStore, providerKeyStore, workspaceStore } from '../../deployed/stores.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { createProviderKey } from '../../provider-keys/create-provider-key.ts';
import { newProviderKeySchema } from '../../provider-keys/provider-key.ts';
import { AUDITED_OF_PROVIDER_KEYS, describeProviderKey } from '../../provider-keys/shown-provider-key.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const ports = {
  supported: setting('providers').split(','),
  workspaces,
  providerKeys: providerKeyStore(),
  lists: listStore(),
  seal: secretSealer(),
  newId: randomUUID,
  now: systemClock,
};

export const handler = routeHandler(routes['create-provider-key'], async (call) => {
  const { workspace_id: named, ...asked } = jsonBody(call, newProviderKeySchema);
  const workspaceId = await namedWorkspace(call.principal, named, workspaces);
  const stored = await createProviderKey(asked, workspaceId, ports);
  noteChange(call, AUDITED_OF_PROVIDER_KEYS, undefined, stored);
  const location = `/api/v1/byok/${stored.id}`;
  return json(201, { data: describeProviderKey(stored) }, { location });
});
