import { webhookSettings } from '../../deployed/webhooks.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const settings = webhookSettings();

/** The secrets stay: events of jobs with an address of their own are still signed. */
export const handler = workspaceHandler(routes['delete-workspace-webhook'], async (_call, workspace) => {
  await settings.setDefaultCallbackUrl(workspace.id, null);
  return json(200, { deleted: true });
});
