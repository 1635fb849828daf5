import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { describeProviderKey, labelSecret, newProviderKeySchema } from '../../provider-keys/provider-key.ts';
import { seal } from '../../provider-keys/secret-box.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { providerKeyStore } from './deployed-store.ts';

const { WORKSPACES_TABLE, PROVIDER_KEYS_KMS_KEY, PROVIDERS } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  PROVIDER_KEYS_KMS_KEY: v.string(),
  PROVIDERS: v.pipe(
    v.string(),
    v.transform((names) => names.split(',')),
  ),
});
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const providerKeys = providerKeyStore();

export const handler = routeHandler('create-provider-key', async (call) => {
  const { key: secret, workspace_id: named, ...settings } = jsonBody(call, newProviderKeySchema);
  if (!PROVIDERS.includes(settings.provider)) {
    throw new InvalidRequest(
      `provider: ${settings.provider} is not supported; supported: ${PROVIDERS.join(', ')}`,
      {
        metadata: { path: 'provider', supported: PROVIDERS },
      },
    );
  }
  const workspace_id = named?.toLowerCase() ?? call.principal.workspaceId;
  if ((await workspaces.findById(workspace_id)) === undefined) {
    throw new InvalidRequest('workspace_id: no such workspace', { metadata: { path: 'workspace_id' } });
  }
  const owner = { id: randomUUID(), workspace_id, provider: settings.provider };
  const stored = {
    ...settings,
    ...owner,
    label: labelSecret(secret),
    ciphertext: await seal(kms, PROVIDER_KEYS_KMS_KEY, owner, secret),
    created_at: systemClock().toISOString(),
    updated_at: null,
  };
  await providerKeys.create(stored);
  return json(201, { data: describeProviderKey(stored) });
});
