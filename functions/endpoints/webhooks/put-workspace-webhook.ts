import { systemClock } from '../../clock.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { describeWebhook } from '../../webhooks/settings/shown-webhook.ts';
import { webhookChangeSchema } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const allowedHosts = parseAllowedHosts(setting('privateHosts'));
const settings = webhookSettings();

export const handler = workspaceHandler(routes['put-workspace-webhook'], async (call, workspace) => {
  const { default_callback_url: url } = jsonBody(call, webhookChangeSchema);
  const checked = url === null ? null : checkedCallbackUrl(url, 'default_callback_url', allowedHosts);
  const changed = await settings.setDefaultCallbackUrl(workspace.id, checked);
  return json(200, { data: describeWebhook(changed, systemClock()) });
});
