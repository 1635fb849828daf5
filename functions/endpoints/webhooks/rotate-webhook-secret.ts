import { randomUUID } from 'node:crypto';
import { kmsDerivation } from '../../aws/derive-bytes.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { rotateSecret } from '../../webhooks/settings/rotate-secret.ts';
import { describeWebhook } from '../../webhooks/settings/shown-webhook.ts';
import { derivedSecrets, encodeSecret } from '../../webhooks/signature.ts';
import { secretRotationSchema } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const HOUR = 3_600_000;

const ports = {
  settings: webhookSettings(),
  secrets: derivedSecrets(kmsDerivation(kms, setting('signingKeyId'))),
  now: systemClock,
  newToken: randomUUID,
};

/** Shows the new secret, so that its receivers get it before it is the only one. */
export const handler = workspaceHandler(routes['rotate-webhook-secret'], async (call, workspace) => {
  const { overlap_hours: overlap } = jsonBody(call, secretRotationSchema);
  const { rotated, secret } = await rotateSecret(workspace.id, Math.round(overlap * HOUR), ports);
  return json(200, { data: describeWebhook(rotated, systemClock()), secret: encodeSecret(secret) });
});
