import { kmsDerivation } from '../../aws/derive-bytes.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { json } from '../../http/response.ts';
import { describeWebhook } from '../../webhooks/settings/shown-webhook.ts';
import { derivedSecrets, encodeSecret } from '../../webhooks/signature.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const settings = webhookSettings();
const secrets = derivedSecrets(kmsDerivation(kms, setting('signingKeyId')));

/**
 * The secret that signs now; nothing else shows the first one. Whoever may rotate it may read it. A POST, so that no
 * cache and no browser history keeps it.
 */
export const handler = workspaceHandler(routes['reveal-webhook-secret'], async (_call, workspace) => {
  const now = await settings.find(workspace.id);
  const secret = await secrets.secret(workspace.id, now.secret_version);
  return json(200, { data: describeWebhook(now, systemClock()), secret: encodeSecret(secret) });
});
