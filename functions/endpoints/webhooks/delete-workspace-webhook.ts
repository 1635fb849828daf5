import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const environment = readEnvironment({ WORKSPACES_TABLE: v.string(), WEBHOOK_SETTINGS_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const settings = new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE);

/** The secrets stay: events of jobs that name an address of their own are still signed. */
export const handler = routeHandler('delete-workspace-webhook', async (call) => {
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  await settings.setDefaultCallbackUrl(workspace.id, null);
  return json(200, { deleted: true });
});
