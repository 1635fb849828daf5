import type { Construct } from 'constructs';
import type { BroadcastTable } from './broadcast.ts';
import { Sweeper } from './constructs/sweeper.ts';
import type { Files } from './files.ts';
import type { Generations } from './generations.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { ListsTable } from './lists.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';
import type { Videos } from './videos.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

export interface WorkspaceSweeperProps {
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
