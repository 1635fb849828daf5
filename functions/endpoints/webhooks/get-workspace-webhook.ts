import { systemClock } from '../../clock.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { json } from '../../http/response.ts';
import { describeWebhook } from '../../webhooks/settings/shown-webhook.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const settings = webhookSettings();

export const handler = workspaceHandler(routes['get-workspace-webhook'], async (_call, workspace) =>
  json(200, { data: describeWebhook(await settings.find(workspace.id), systemClock()) }),
);
