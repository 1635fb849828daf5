import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Sweeper } from './constructs/sweeper.ts';
import type { AccountsTable } from './money.ts';
import type { StageConfig } from './stage-config.ts';
import type { Videos } from './videos.ts';
import type { Webhooks } from './webhooks.ts';

export interface ReconcilerProps {
  readonly config: StageConfig;
  readonly accounts: AccountsTable;
  readonly webhooks: Webhooks;
  readonly videos: Videos;
}

/** Compares accounts, jobs and events with each other once an hour. */
export class Reconciler extends Sweeper {
  constructor(scope: Construct, id: string, { config, accounts, webhooks, videos }: ReconcilerProps) {
    super(scope, id, {
      config,
      name: 'reconcile-rows',
      runs: 'EveryHour',
      timeout: Duration.minutes(10),
      can: [accounts.auditor, videos.jobs.auditor, webhooks.events.auditor],
    });
  }
}
