import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { describeWebhook } from '../../webhooks/settings/webhook-view.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const environment = readEnvironment({ WORKSPACES_TABLE: v.string(), WEBHOOK_SETTINGS_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const settings = new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE);

export const handler = routeHandler('get-workspace-webhook', async (call) => {
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  return json(200, { data: describeWebhook(await settings.find(workspace.id), systemClock()) });
});
