import type { Construct } from 'constructs';
import type { StageConfig } from '../stage/config.ts';
import {
  AccountsTable,
  ApprovalsTable,
  AuditTable,
  BucketsTable,
  GuardrailsTable,
  KeysTable,
  ListsTable,
  ReplaysTable,
  SessionsTable,
  WorkspacesTable,
} from './callers.ts';
import { Files } from './files.ts';
import { Generations } from './generations.ts';
import { ProviderKeys } from './provider-keys.ts';
import { Offers, Videos } from './videos.ts';
import { BroadcastTable, Webhooks } from './webhooks.ts';

/** Whatever a stage keeps: its tables, buckets, queues and keys. */
export const storesOf = (scope: Construct, config: StageConfig) => ({
  keys: new KeysTable(scope, 'Keys', config),
  sessions: new SessionsTable(scope, 'Sessions', config),
  approvals: new ApprovalsTable(scope, 'Approvals', config),
  accounts: new AccountsTable(scope, 'Accounts', config),
  lists: new ListsTable(scope, 'Lists', config),
  replays: new ReplaysTable(scope, 'Replays', config),
  buckets: new BucketsTable(scope, 'Buckets', config),
  audit: new AuditTable(scope, 'Audit', config),
  workspaces: new WorkspacesTable(scope, 'Workspaces', config),
  guardrails: new GuardrailsTable(scope, 'Guardrails', config),
  providerKeys: new ProviderKeys(scope, 'ProviderKeys', config),
  // With another id its tables would be replaced.
  offers: new Offers(scope, 'Routing', config),
  files: new Files(scope, 'Files', config),
  broadcast: new BroadcastTable(scope, 'Broadcast', config),
  webhooks: new Webhooks(scope, 'Webhooks', config),
  videos: new Videos(scope, 'Videos', config),
  generations: new Generations(scope, 'Generations', config),
});
export type Stores = ReturnType<typeof storesOf>;
