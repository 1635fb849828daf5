import type { DeploymentValues } from './deployment-values.ts';
import type { Settings } from './settings.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

export interface WebhookEndpointsProps {
  readonly webhooks: Webhooks;
  readonly workspaces: WorkspacesTable;
  readonly settings: Settings;
  readonly values: DeploymentValues;
}

/** The endpoints for a workspace's webhook: its settings, its secrets, and its deliveries. */
export const webhookEndpoints = ({ webhooks, workspaces, settings, values }: WebhookEndpointsProps) => ({
  'get-workspace-webhook': [workspaces.reader, webhooks.settings.reader],
  'put-workspace-webhook': [workspaces.reader, webhooks.settings.changer, settings.privateHosts],
  'delete-workspace-webhook': [workspaces.reader, webhooks.settings.changer],
  'rotate-webhook-secret': [workspaces.reader, webhooks.settings.changer, webhooks.signingKey.deriver],
  'reveal-webhook-secret': [workspaces.reader, webhooks.settings.reader, webhooks.signingKey.deriver],
  'get-webhook-keys': [values.webhookKeys],
  'list-webhook-deliveries': [workspaces.reader, webhooks.events.lister],
  'redeliver-webhook-delivery': [workspaces.reader, webhooks.redeliverer],
  'recover-webhook-deliveries': [workspaces.reader, webhooks.redeliverer, webhooks.events.finderOfLost],
  'test-workspace-webhook': [
    workspaces.reader,
    webhooks.events.creator,
    webhooks.settings.reader,
    webhooks.queue.sender,
    settings.privateHosts,
  ],
});
