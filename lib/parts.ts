import type { Stack } from 'aws-cdk-lib';
import { BroadcastTable, broadcastEndpoints } from './broadcast.ts';
import { Console } from './console.ts';
import { DeploymentValues } from './deployment-values.ts';
import { descriptionEndpoints } from './description-endpoints.ts';
import { downloadsKeyOf, downloadsOf } from './downloads.ts';
import { Emptying } from './emptying.ts';
import type { Endpoints } from './endpoints.ts';
import { Files, fileEndpoints } from './files.ts';
import { AuditTable, BucketsTable, entrance, Gate, ReplaysTable } from './gate.ts';
import { Generations, generationEndpoints } from './generations.ts';
import { GuardrailsTable, guardrailEndpoints } from './guardrails.ts';
import { KeysTable, keyEndpoints } from './keys.ts';
import { ListsTable } from './lists.ts';
import { AccountsTable, moneyEndpoints } from './money.ts';
import { ProviderKeyOpener } from './provider-key-opener.ts';
import { ProviderKeys, providerKeyEndpoints } from './provider-keys.ts';
import { Reconciler } from './reconciler.ts';
import { Routing, routingEndpoints } from './routing.ts';
import { tellableSettings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import { videoEndpoints } from './video-endpoints.ts';
import { Videos } from './videos.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { Webhooks } from './webhooks.ts';
import { WorkspaceSweeper } from './workspace-removal.ts';
import { WorkspacesTable, workspaceEndpoints } from './workspaces.ts';

/** Everything except the endpoints, which come later because each may need any of these parts. */
export function partsOf(stack: Stack, config: StageConfig) {
  const settings = tellableSettings(config);
  const keys = new KeysTable(stack, 'Keys', config);
  const accounts = new AccountsTable(stack, 'Accounts', config);
  const lists = new ListsTable(stack, 'Lists', config);
  const replays = new ReplaysTable(stack, 'Replays', config);
  const buckets = new BucketsTable(stack, 'Buckets', config);
  const audit = new AuditTable(stack, 'Audit', config);
  const workspaces = new WorkspacesTable(stack, 'Workspaces', config);
  const guardrails = new GuardrailsTable(stack, 'Guardrails', config);
  const providerKeys = new ProviderKeys(stack, 'ProviderKeys', config);
  const routing = new Routing(stack, 'Routing', { config, settings });
  const files = new Files(stack, 'Files', config);
  const broadcast = new BroadcastTable(stack, 'Broadcast', config);
  const tables = { keys, accounts, lists, replays, workspaces, guardrails, broadcast };
  const webhooks = new Webhooks(stack, 'Webhooks', { config, settings, ...tables, providerKeys });
  const stores = { config, settings, ...tables, providerKeys, routing, files, webhooks };
  const videos = new Videos(stack, 'Videos', stores);
  const generations = new Generations(stack, 'Generations', { ...stores, videos });
  new WorkspaceSweeper(stack, 'WorkspaceSweeper', { ...stores, videos, generations });
  new Reconciler(stack, 'Reconciler', { ...stores, videos });
  const storage = [files.objects, videos.results];
  const { signingKey } = webhooks;
  const downloadsKey = downloadsKeyOf(stack, config);
  const values = new DeploymentValues(stack, 'Deployment', { config, settings, signingKey, downloadsKey });
  const downloads = downloadsOf(stack, { config, files, videos, values, key: downloadsKey });
  const console =
    config.console && config.edge === 'cloudfront'
      ? new Console(stack, 'Console', { config, settings, storage: downloads.origins })
      : undefined;
  if (config.data === 'destroy') {
    const emptied = console === undefined ? storage : [...storage, console.bucket];
    new Emptying(stack, 'Emptying', { config, settings, buckets: emptied });
  }
  const keyOpener = new ProviderKeyOpener(stack, 'ProviderKeyOpener', stores);
  const gate = new Gate({ config, keys, buckets, audit, entrance: entrance(config, values) });
  return { ...stores, videos, generations, downloads, keyOpener, console, values, gate, audit };
}

export type Parts = ReturnType<typeof partsOf>;

/** Every endpoint, with the rights that it needs. */
export const endpointsOf = (parts: Parts): Endpoints => ({
  ...keyEndpoints(parts),
  ...workspaceEndpoints(parts),
  ...guardrailEndpoints(parts),
  ...moneyEndpoints(parts),
  ...providerKeyEndpoints(parts),
  ...fileEndpoints(parts),
  ...videoEndpoints(parts),
  ...routingEndpoints(parts),
  ...generationEndpoints(parts),
  ...webhookEndpoints(parts),
  ...broadcastEndpoints(parts),
  ...descriptionEndpoints(),
});
