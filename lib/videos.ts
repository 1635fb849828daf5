import { Duration } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { RETENTION_DAYS } from '../functions/retention-days.ts';
import { OVERDUE_INDEX } from '../functions/sweeping/sparse-index.ts';
import { BEDROCK_PREFIX, INPUTS_PREFIX, keptPrefix } from '../functions/videos/bucket-layout.ts';
import { CHOSEN_BY, JOBS_BY_STATUS, JOBS_BY_WORKSPACE } from '../functions/videos/table.ts';
import { bedrockUser } from './bedrock.ts';
import { Bucket } from './constructs/bucket.ts';
import { combine } from './constructs/capability.ts';
import { QueueConsumer, WorkQueue } from './constructs/queue-consumer.ts';
import { Sweeper } from './constructs/sweeper.ts';
import { Table } from './constructs/table.ts';
import type { Files } from './files.ts';
import type { AccountsTable } from './money.ts';
import { keyedVideoProviders, type ProviderKeys } from './provider-keys.ts';
import type { Routing } from './routing.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** What a job needs until it is done is kept for longer than any job may take. */
const RESULTS_LIFE = {
  [INPUTS_PREFIX]: Duration.days(7),
  [BEDROCK_PREFIX]: Duration.days(7),
  ...Object.fromEntries(RETENTION_DAYS.map((days) => [keptPrefix(days), Duration.days(days)])),
};

class JobsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = combine(
    this.allowingQueries(JOBS_BY_WORKSPACE),
    this.allowingQueries(JOBS_BY_STATUS),
    this.allowing('BatchGetItem'),
  );
  readonly creator = this.allowing('PutItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  /** To find what is overdue, and to quarantine what nobody can carry on. */
  readonly sweeper = combine(
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('GetItem', 'UpdateItem', 'PutItem'),
  );

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.jobsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
    this.addGlobalSecondaryIndex({
      indexName: JOBS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: JOBS_BY_STATUS,
      partitionKey: { name: 'workspace_status', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: CHOSEN_BY,
    });
    this.indexOverdue('workspace_id', 'seq', 'link');
  }
}

export interface VideosProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly webhooks: Webhooks;
  readonly files: Files;
  readonly accounts: AccountsTable;
  readonly providerKeys: ProviderKeys;
  readonly routing: Routing;
  readonly workspaces: WorkspacesTable;
}

/** Video jobs: their rows and results, the queue that keeps them moving, and the poller behind it. */
export class Videos extends Construct {
  readonly jobs: JobsTable;
  readonly results: Bucket;
  readonly queue: WorkQueue;

  constructor(scope: Construct, id: string, props: VideosProps) {
    super(scope, id);
    const { config } = props;
    const timeout = Duration.seconds(60);
    this.jobs = new JobsTable(this, 'Jobs', config);
    this.results = new Bucket(this, 'Results', {
      config,
      variable: variables.resultsBucket,
      expireAfter: RESULTS_LIFE,
    });
    this.queue = new WorkQueue(this, 'Queue', { variable: variables.jobsQueueUrl, timeout });
    this.#poll(props, timeout);
    new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-jobs',
      can: [
        this.jobs.sweeper,
        this.queue.sender,
        // What it quarantines ends as any job does: with an event, and without its holds.
        props.webhooks.events.creator,
        props.accounts.reader,
        props.accounts.writer,
      ],
    });
  }

  #poll(
    { config, settings, webhooks, files, accounts, providerKeys, routing, workspaces }: VideosProps,
    timeout: Duration,
  ): void {
    new QueueConsumer(this, 'Poller', {
      config,
      name: 'poll-videos',
      queue: this.queue,
      timeout,
      maxConcurrency: config.pollerConcurrency,
      reservedConcurrency: config.reservedConcurrency.poller,
      // Copies results as streams, and renders the sandbox's clips.
      memoryMegabytes: 1024,
      can: [
        this.jobs.changer,
        this.results.writer,
        this.results.reader,
        files.rows.reader,
        files.objects.reader,
        workspaces.reader,
        accounts.reader,
        accounts.writer,
        webhooks.events.creator,
        webhooks.queue.sender,
        providerKeys.userOf(keyedVideoProviders(config)),
        routing.endpoints.reader,
        routing.figures.writer,
        bedrockUser(config),
        settings.privateHosts,
        settings.videoProviders,
        settings.resultDays,
      ],
    });
  }
}
