import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Sweeper } from '../constructs/clock.ts';
import type { StageConfig } from '../stage/config.ts';
import type { Files } from './files.ts';
import type { Generations } from './generations.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Videos } from './videos.ts';
import type { BroadcastTable, Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

interface ReconcilerProps {
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

interface WorkspaceSweeperProps {
  readonly config: StageConfig;
  readonly workspaces: WorkspacesTable;
  readonly lists: ListsTable;
  readonly providerKeys: ProviderKeys;
  readonly guardrails: GuardrailsTable;
  readonly webhooks: Webhooks;
  readonly broadcast: BroadcastTable;
  readonly files: Files;
  readonly videos: Videos;
  readonly generations: Generations;
}

/** Deletes the data of a deleted workspace, and settings that a crash has left behind. */
export class WorkspaceSweeper extends Sweeper {
  constructor(scope: Construct, id: string, props: WorkspaceSweeperProps) {
    const { workspaces, lists, providerKeys, guardrails, webhooks, broadcast, files, videos } = props;
    super(scope, id, {
      config: props.config,
      name: 'sweep-workspaces',
      can: [
        workspaces.sweeper,
        providerKeys.rows.lister,
        providerKeys.rows.remover,
        lists.changer,
        guardrails.clearer,
        webhooks.settings.changer,
        broadcast.remover,
        files.rows.purger,
        files.objects.purger,
        videos.results.purger,
        props.generations.contents.purger,
      ],
    });
  }
}
