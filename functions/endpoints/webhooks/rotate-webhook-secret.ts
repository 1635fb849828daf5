import { kmsDerivation } from '../../aws/derive-bytes.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { describeWebhook } from '../../webhooks/settings/shown-webhook.ts';
import { derivedSecrets, encodeSecret } from '../../webhooks/signature.ts';
import { secretRotationSchema } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const HOUR = 3_600_000;

const settings = webhookSettings();
const secrets = derivedSecrets(kmsDerivation(kms, setting('signingKeyId')));

/** Shows the new secret, this once. */
export const handler = workspaceHandler(routes['rotate-webhook-secret'], async (call, workspace) => {
  const { overlap_hours: overlap } = jsonBody(call, secretRotationSchema);
  const now = systemClock();
  const rotated = await settings.rotateSecret(workspace.id, now.getTime() + overlap * HOUR);
  const secret = await secrets.secret(workspace.id, rotated.secret_version);
  return json(200, { data: describeWebhook(rotated, now), secret: encodeSecret(secret) });
});
