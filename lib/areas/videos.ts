import { Duration } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import {
  JOBS_BY_STATUS,
  JOBS_BY_WORKSPACE,
  JOBS_CHOSEN_BY,
  OLD_JOBS_BY_WORKSPACE,
} from '../../functions/tables.ts';
import {
  BEDROCK_PREFIX,
  INPUTS_PREFIX,
  KEPT_PREFIX,
  keptPrefix,
} from '../../functions/videos/bucket-layout.ts';
import { RETENTION_DAYS } from '../../functions/workspaces/retention-days.ts';
import { Bucket } from '../constructs/bucket.ts';
import { Sweeper } from '../constructs/clock.ts';
import { QueueConsumer, WorkQueue } from '../constructs/consumers.ts';
import { VIDEO_WORKER_MEMORY } from '../constructs/function-defaults.ts';
import { type Capability, combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import { bedrockReader, bedrockSubmitter } from './bedrock.ts';
import type { Files } from './files.ts';
import type { AccountsTable } from './money.ts';
import type { Routing } from './offers.ts';
import { keyedVideoProviders, type ProviderKeys } from './provider-keys.ts';
import type { Settings } from './settings.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** The jobs, and beside each what was asked of its provider. */
export class JobsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = combine(
    this.allowingQueries(JOBS_BY_WORKSPACE),
    this.allowingQueries(JOBS_BY_STATUS),
    this.allowing('BatchGetItem'),
  );
  readonly creator = this.allowing('PutItem');
  readonly remover = this.allowing('DeleteItem');
  /** The right to check, in the same transaction as another write, that the job still exists. */
  readonly keeper = this.allowing('ConditionCheckItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  /** The right to find overdue jobs, and to quarantine jobs that cannot progress. */
  readonly sweeper = combine(
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('GetItem', 'UpdateItem', 'PutItem'),
  );
  /** The right to compare jobs with accounts, and to make up for what is missing. */
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
      nonKeyAttributes: JOBS_CHOSEN_BY,
    });
  }
}

/** The inputs of a job are kept longer than any job may take. */
const RESULTS_LIFE = {
  [INPUTS_PREFIX]: Duration.days(7),
  [BEDROCK_PREFIX]: Duration.days(7),
  ...Object.fromEntries(RETENTION_DAYS.map((days) => [keptPrefix(days), Duration.days(days)])),
};

/** The finished videos, and the inputs of running jobs. */
class ResultsBucket extends Bucket {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.resultsBucket, expireAfter: RESULTS_LIFE });
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
 * Video jobs: their rows and results, and the two queues that drive them. Pollers submit jobs and poll them. Copiers
 * fetch the results, which may take long, and end the jobs.
 */
export class Videos extends Construct {
  readonly jobs: JobsTable;
  readonly results: ResultsBucket;
  readonly queue: WorkQueue;
  readonly copies: WorkQueue;

  constructor(scope: Construct, id: string, props: VideosProps) {
    super(scope, id);
    const { config } = props;
    const timeout = Duration.seconds(60);
    const copyTimeout = Duration.minutes(15);
    this.jobs = new JobsTable(this, 'Jobs', config);
    this.results = new ResultsBucket(this, 'Results', config);
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
        // A quarantined job ends like any job: with an event, and without its holds.
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
      memoryMegabytes: VIDEO_WORKER_MEMORY,
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
      // A slow copy must not delay other copies.
      batchSize: 1,
      memoryMegabytes: VIDEO_WORKER_MEMORY,
      can: [
        ...this.#mover(props),
        this.results.uploaderBelow(KEPT_PREFIX),
        workspaces.reader,
        bedrockReader(config, this.results),
        settings.resultDays,
      ],
    });
  }

  /** What drives jobs: polls providers, and ends jobs. */
  #mover(props: VideosProps): Capability[] {
    const { config, settings, webhooks, accounts, providerKeys, routing } = props;
    return [
      this.jobs.changer,
      accounts.reader,
      accounts.writer,
      webhooks.events.creator,
      webhooks.queue.sender,
      providerKeys.userOf(keyedVideoProviders(config)),
      routing.catalogue,
      routing.figures.writer,
      settings.privateHosts,
      settings.videoProviders,
    ];
  }
}
