import type { Construct } from 'constructs';
import { Sweeper } from './constructs/sweeper.ts';
import type { Files } from './files.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';
import type { Videos } from './videos.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

export interface WorkspaceSweeperProps {
  readonly config: StageConfig;
  readonly workspaces: WorkspacesTable;
  readonly providerKeys: ProviderKeys;
  readonly guardrails: GuardrailsTable;
  readonly webhooks: Webhooks;
  readonly files: Files;
  readonly videos: Videos;
}

/** Deletes what a deleted workspace stored, and what a crash has left of its settings. */
export class WorkspaceSweeper extends Sweeper {
  constructor(
    scope: Construct,
    id: string,
    { config, workspaces, providerKeys, guardrails, webhooks, files, videos }: WorkspaceSweeperProps,
  ) {
    super(scope, id, {
      config,
      name: 'sweep-workspaces',
      can: [
        workspaces.sweeper,
        providerKeys.rows.lister,
        providerKeys.rows.remover,
        guardrails.clearer,
        webhooks.settings.changer,
        files.rows.purger,
        files.objects.purger,
        videos.results.purger,
      ],
    });
  }
}
