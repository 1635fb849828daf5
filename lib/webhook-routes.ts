import { Construct } from 'constructs';
import { sendTo } from './queue-consumer.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import type { Table } from './table.ts';
import type { Webhooks } from './webhooks.ts';

export interface WebhookRoutesProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly webhooks: Webhooks;
  readonly workspaces: Table;
}

/** The endpoints over a workspace's webhook: its settings, its secrets, what was delivered and what not. */
export class WebhookRoutes extends Construct {
  constructor(scope: Construct, id: string, props: WebhookRoutesProps) {
    super(scope, id);
    this.#serveSettings(props);
    this.#serveDeliveries(props);
  }

  #serveSettings({ config, api, webhooks, workspaces }: WebhookRoutesProps): void {
    const environment = {
      WORKSPACES_TABLE: workspaces.tableName,
      WEBHOOK_SETTINGS_TABLE: webhooks.settings.tableName,
    };
    const get = api.serve('get-workspace-webhook', { environment });
    const put = api.serve('put-workspace-webhook', {
      environment: { ...environment, PRIVATE_HOSTS: config.allowedPrivateHosts.join(',') },
    });
    const remove = api.serve('delete-workspace-webhook', { environment });
    const rotate = api.serve('rotate-webhook-secret', {
      environment: { ...environment, SIGNING_KEY_ID: webhooks.signingKey.keyId },
    });
    for (const handler of [get, put, remove, rotate]) workspaces.grant(handler, 'dynamodb:GetItem');
    webhooks.settings.grant(get, 'dynamodb:GetItem');
    for (const handler of [put, remove, rotate]) webhooks.settings.grant(handler, 'dynamodb:UpdateItem');
    const keys = api.serve('get-webhook-keys', {
      environment: { SIGNING_KEY_ID: webhooks.signingKey.keyId },
    });
    for (const handler of [rotate, keys]) webhooks.signingKey.grant(handler, 'kms:GenerateMac');
  }

  #serveDeliveries({ config, api, webhooks, workspaces }: WebhookRoutesProps): void {
    const WORKSPACES_TABLE = workspaces.tableName;
    const list = api.serve('list-webhook-deliveries', {
      environment: { WORKSPACES_TABLE, EVENTS_TABLE: webhooks.events.tableName },
    });
    const environment = { WORKSPACES_TABLE, ...webhooks.redeliveryEnvironment };
    const redeliver = api.serve('redeliver-webhook-delivery', { environment });
    const recover = api.serve('recover-webhook-deliveries', { environment });
    const probe = api.serve('test-workspace-webhook', {
      environment: { ...environment, PRIVATE_HOSTS: config.allowedPrivateHosts.join(',') },
    });
    for (const handler of [list, redeliver, recover, probe]) workspaces.grant(handler, 'dynamodb:GetItem');
    for (const handler of [list, recover]) webhooks.events.grant(handler, 'dynamodb:Query');
    webhooks.events.grant(list, 'dynamodb:GetItem');
    for (const handler of [redeliver, recover]) webhooks.grantRedelivery(handler);
    webhooks.events.grant(probe, 'dynamodb:PutItem');
    webhooks.settings.grant(probe, 'dynamodb:GetItem');
    probe.addToRolePolicy(sendTo(webhooks.queue));
  }
}
