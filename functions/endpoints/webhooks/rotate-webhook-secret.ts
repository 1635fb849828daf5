import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { kmsDerivation } from '../../webhooks/settings/derive-bytes.ts';
import { derivedSecrets } from '../../webhooks/settings/signing-secrets.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { describeWebhook } from '../../webhooks/settings/webhook-view.ts';
import { encodeSecret } from '../../webhooks/signature/secret.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const HOUR = 3_600_000;
const OVERLAP_RULE = 'must be from 0 to 72';

const environment = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
  SIGNING_KEY_ID: v.string(),
});
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const settings = new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE);
const secrets = derivedSecrets(kmsDerivation(kms, environment.SIGNING_KEY_ID));

const bodySchema = v.object({
  overlap_hours: v.optional(
    v.pipe(v.number(OVERLAP_RULE), v.minValue(0, OVERLAP_RULE), v.maxValue(72, OVERLAP_RULE)),
    24,
  ),
});

/** The only answer that ever shows a secret. */
export const handler = routeHandler('rotate-webhook-secret', async (call) => {
  const { overlap_hours: overlap } = jsonBody(call, bodySchema);
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  const now = systemClock();
  const rotated = await settings.rotateSecret(workspace.id, now.getTime() + overlap * HOUR);
  const secret = await secrets.secret(workspace.id, rotated.secret_version);
  return json(200, { data: describeWebhook(rotated, now), secret: encodeSecret(secret) });
});
