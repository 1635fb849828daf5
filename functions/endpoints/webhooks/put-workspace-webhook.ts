import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { describeWebhook } from '../../webhooks/settings/webhook-view.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const environment = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
  PRIVATE_HOSTS: v.string(),
});
const allowedHosts = parseAllowedHosts(environment.PRIVATE_HOSTS);
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const settings = new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE);

const bodySchema = v.object({ default_callback_url: v.nullable(v.string('must be an https URL, or null')) });

export const handler = routeHandler('put-workspace-webhook', async (call) => {
  const { default_callback_url: url } = jsonBody(call, bodySchema);
  const checked = url === null ? null : checkedCallbackUrl(url, 'default_callback_url', allowedHosts);
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  const changed = await settings.setDefaultCallbackUrl(workspace.id, checked);
  return json(200, { data: describeWebhook(changed, systemClock()) });
});
