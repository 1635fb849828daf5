import { Duration } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { RETENTION_DAYS } from '../functions/retention-days.ts';
import { OVERDUE_INDEX } from '../functions/sweeping/sparse-index.ts';
import { BEDROCK_PREFIX, INPUTS_PREFIX, KEPT_PREFIX, keptPrefix } from '../functions/videos/bucket-layout.ts';
import {
  CHOSEN_BY,
  JOBS_BY_STATUS,
  JOBS_BY_WORKSPACE,
  OLD_JOBS_BY_WORKSPACE,
} from '../functions/videos/table.ts';
import { bedrockReader, bedrockSubmitter } from './bedrock.ts';
import { Bucket } from './constructs/bucket.ts';
import { type Capability, combine } from './constructs/capability.ts';
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
  readonly remover = this.allowing('DeleteItem');
  /** To write, in one transaction with something of a job's, that the job must be there. */
  readonly keeper = this.allowing('ConditionCheckItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  /** To find what is overdue, and to quarantine what nobody can carry on. */
  readonly sweeper = combine(
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('GetItem', 'UpdateItem', 'PutItem'),
  );

  readonly auditor = combine(
    this.allowingScans(),
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('BatchGetItem', 'UpdateItem', 'ConditionCheckItem'),
  );

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.jobsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
    this.#listBy(JOBS_BY_WORKSPACE, 'workspace_id');
    this.#listBy(JOBS_BY_STATUS, 'workspace_status');
    if (config.keepsOldIndexes) {
      this.addGlobalSecondaryIndex({
        indexName: OLD_JOBS_BY_WORKSPACE,
        partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
        sortKey: { name: 'id', type: AttributeType.STRING },
      });
    }
    this.indexOverdue('workspace_id', 'seq', 'link');
  }

  #listBy(indexName: string, partitionKey: string): void {
    this.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: CHOSEN_BY,
    });
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

/**
 * Video jobs: their rows and results, and the two queues that keep them moving. Pollers submit jobs and ask after
 * them; copiers fetch what was made, which may take long, and end them.
 */
export class Videos extends Construct {
  readonly jobs: JobsTable;
  readonly results: Bucket;
  readonly queue: WorkQueue;
  readonly copies: WorkQueue;

  constructor(scope: Construct, id: string, props: VideosProps) {
    super(scope, id);
    const { config } = props;
    const timeout = Duration.seconds(60);
    const copyTimeout = Duration.minutes(15);
    this.jobs = new JobsTable(this, 'Jobs', config);
    this.results = new Bucket(this, 'Results', {
      config,
      variable: variables.resultsBucket,
      expireAfter: RESULTS_LIFE,
    });
    this.queue = new WorkQueue(this, 'Queue', { variable: variables.jobsQueueUrl, timeout });
    this.copies = new WorkQueue(this, 'Copies', { variable: variables.copiesQueueUrl, timeout: copyTimeout });
    this.#poll(props, timeout);
    this.#copy(props, copyTimeout);
    new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-jobs',
      can: [
        this.jobs.sweeper,
        this.queue.sender,
        this.copies.sender,
        // What it quarantines ends as any job does: with an event, and without its holds.
        props.webhooks.events.creator,
        props.accounts.reader,
        props.accounts.writer,
      ],
    });
  }

  #poll(props: VideosProps, timeout: Duration): void {
    const { config, files } = props;
    new QueueConsumer(this, 'Poller', {
      config,
      name: 'poll-videos',
      queue: this.queue,
      timeout,
      maxConcurrency: config.pollerConcurrency,
      reservedConcurrency: config.reservedConcurrency.poller,
      // Passes images on to providers that want their bytes.
      memoryMegabytes: 1024,
      can: [
        ...this.#mover(props),
        this.copies.sender,
        this.results.readerBelow(INPUTS_PREFIX),
        files.rows.reader,
        files.objects.reader,
        bedrockSubmitter(config, this.results),
      ],
    });
  }

  #copy(props: VideosProps, timeout: Duration): void {
    const { config, settings, workspaces } = props;
    new QueueConsumer(this, 'Copier', {
      config,
      name: 'copy-videos',
      queue: this.copies,
      timeout,
      maxConcurrency: config.copierConcurrency,
      reservedConcurrency: config.reservedConcurrency.copier,
      // A slow copy keeps no other one waiting.
      batchSize: 1,
      // Copies results as streams, and renders the sandbox's clips.
      memoryMegabytes: 1024,
      can: [
        ...this.#mover(props),
        this.results.uploaderBelow(KEPT_PREFIX),
        workspaces.reader,
        bedrockReader(config, this.results),
        settings.resultDays,
      ],
    });
  }

  /** What moves jobs on: asks providers after them, and ends them. */
  #mover(props: VideosProps): Capability[] {
    const { config, settings, webhooks, accounts, providerKeys, routing } = props;
    return [
      this.jobs.changer,
      accounts.reader,
      accounts.writer,
      webhooks.events.creator,
      webhooks.queue.sender,
      providerKeys.userOf(keyedVideoProviders(config)),
      routing.endpoints.reader,
      routing.figures.writer,
      settings.privateHosts,
      settings.videoProviders,
    ];
  }
}
