import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Sweeper } from './constructs/sweeper.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';
import type { Videos } from './videos.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

export interface ReconcilerProps {
  readonly config: StageConfig;
  readonly accounts: AccountsTable;
  readonly lists: ListsTable;
  readonly keys: KeysTable;
  readonly workspaces: WorkspacesTable;
  readonly providerKeys: ProviderKeys;
  readonly webhooks: Webhooks;
  readonly videos: Videos;
}

/** Compares accounts, jobs and events with each other once an hour, and lists with their entries. */
export class Reconciler extends Sweeper {
  constructor(
    scope: Construct,
    id: string,
    { config, accounts, lists, keys, workspaces, providerKeys, webhooks, videos }: ReconcilerProps,
  ) {
    super(scope, id, {
      config,
      name: 'reconcile-rows',
      runs: 'EveryHour',
      timeout: Duration.minutes(10),
      can: [
        accounts.auditor,
        videos.jobs.auditor,
        webhooks.events.auditor,
        lists.auditor,
        workspaces.lister,
        keys.lister,
        providerKeys.rows.lister,
      ],
    });
  }
}
