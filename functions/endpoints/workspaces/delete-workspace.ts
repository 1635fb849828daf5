import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { KeyStore } from '../../keys/key-store.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { RemovalStore } from '../../workspaces/removal-store.ts';
import { removeWorkspace } from '../../workspaces/remove-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { providerKeyStore } from '../provider-keys/deployed-store.ts';

const { WORKSPACES_TABLE, KEYS_TABLE, ACCOUNTS_TABLE, WEBHOOK_SETTINGS_TABLE } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  KEYS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
});
const ports = {
  workspaces: new WorkspaceStore(dynamo, WORKSPACES_TABLE),
  removals: new RemovalStore(dynamo, WORKSPACES_TABLE),
  keys: new KeyStore(dynamo, KEYS_TABLE),
  providerKeys: providerKeyStore(),
  webhooks: new WebhookSettingsStore(dynamo, WEBHOOK_SETTINGS_TABLE),
  accountsTable: ACCOUNTS_TABLE,
  now: systemClock,
};

export const handler = routeHandler('delete-workspace', async (call) => {
  await removeWorkspace(call.path.workspace ?? '', ports);
  return json(200, { deleted: true });
});
