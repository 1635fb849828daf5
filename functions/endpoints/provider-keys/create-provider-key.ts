import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { jsonBody } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { json } from '../../http/response.ts';
import { describeProviderKey, labelSecret, newProviderKeySchema } from '../../provider-keys/provider-key.ts';
import { namedWorkspace } from '../../workspaces/acting-workspace.ts';
import { listStore } from '../lists/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { providerKeyStore, secretSealer } from './deployed.ts';

const listVariable = v.pipe(
  v.string(),
  v.transform((names) => names.split(',')),
);

const supported = setting('providers', listVariable);
const workspaces = workspaceStore();
const providerKeys = providerKeyStore();
const lists = listStore();
const seal = secretSealer();

export const handler = routeHandler('create-provider-key', async (call) => {
  const { key: secret, workspace_id: named, ...settings } = jsonBody(call, newProviderKeySchema);
  const { provider } = settings;
  if (!supported.includes(provider)) {
    const rule = `${provider} is not supported; supported: ${supported.join(', ')}`;
    throw invalidField('provider', rule, { supported });
  }
  const workspace_id =
    named === undefined ? call.principal.workspaceId : await namedWorkspace(named, workspaces);
  if ((await workspaces.findById(workspace_id)) === undefined) {
    throw invalidField('workspace_id', 'no such workspace');
  }
  const owner = { id: randomUUID(), workspace_id, provider };
  const stored = {
    ...settings,
    ...owner,
    label: labelSecret(secret),
    ciphertext: await seal(owner, secret),
    created_at: systemClock().toISOString(),
    updated_at: null,
  };
  await providerKeys.create(stored, lists);
  return json(201, { data: describeProviderKey(stored) });
});
