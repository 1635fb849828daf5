import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import {
  JOBS_BY_STATUS,
  JOBS_BY_WORKSPACE,
  JOBS_CHOSEN_BY,
  OLD_JOBS_BY_WORKSPACE,
} from '../../functions/tables.ts';
import { BEDROCK_PREFIX, INPUTS_PREFIX, keptPrefix } from '../../functions/videos/bucket-layout.ts';
import { RETENTION_DAYS } from '../../functions/workspaces/retention-days.ts';
import { Bucket } from '../constructs/bucket.ts';
import { WorkQueue } from '../constructs/consumers.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

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
  /** The right to strip all jobs of a workspace, and to delete what was asked of their providers. */
  readonly purger = combine(
    this.allowingQueries(JOBS_BY_WORKSPACE),
    this.allowing('BatchGetItem', 'PutItem', 'BatchWriteItem'),
  );
  /** The right to check, in the same transaction as another write, that the job still exists. */
  readonly keeper = this.allowing('ConditionCheckItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  /** The right to count a callback of the submit that a job is at, and to learn nothing else of the job. */
  readonly callbackCounter = this.allowingUpdatesOf(['id', 'callbacks', 'submits', 'phase']);
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
    super(scope, id, { config, variable: variables.jobsTable, partitionKey: 'id', expiresBy: 'expires_at' });
    this.indexBy(JOBS_BY_WORKSPACE, 'workspace_id', 'id', JOBS_CHOSEN_BY);
    this.indexBy(JOBS_BY_STATUS, 'workspace_status', 'id', JOBS_CHOSEN_BY);
    if (config.keepsOldIndexes) this.indexBy(OLD_JOBS_BY_WORKSPACE, 'workspace_id', 'id');
    this.indexOverdue('workspace_id', 'seq', 'link');
  }
}

/** Who occupies which share of the submitters and the copiers. */
class SharesTable extends Table {
  readonly keeper = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.sharesTable,
      partitionKey: 'id',
      expiresBy: 'expires_at',
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

/**
 * Video jobs: their rows and results, and the three queues that drive them. Submitters hand jobs to providers, and
 * pollers poll them. Copiers fetch the results, which may take long, and end the jobs.
 */
export class Videos extends Construct {
  readonly jobs: JobsTable;
  readonly results: ResultsBucket;
  readonly shares: SharesTable;
  readonly submits: WorkQueue;
  readonly queue: WorkQueue;
  readonly copies: WorkQueue;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.jobs = new JobsTable(this, 'Jobs', config);
    this.results = new ResultsBucket(this, 'Results', config);
    this.shares = new SharesTable(this, 'Shares', config);
    this.submits = new WorkQueue(this, 'Submits', {
      variable: variables.submitsQueueUrl,
      timeout: Duration.seconds(60),
    });
    this.queue = new WorkQueue(this, 'Queue', {
      variable: variables.jobsQueueUrl,
      timeout: Duration.seconds(60),
    });
    this.copies = new WorkQueue(this, 'Copies', {
      variable: variables.copiesQueueUrl,
      timeout: Duration.minutes(15),
    });
  }
}

/** The differences between the running stage and its file, in one row, and a note about each change. */
class OfferChangesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('GetItem', 'PutItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.endpointsTable, partitionKey: 'id' });
  }
}

/** Recent figures of offers. All rows are in one partition, because they are read together. */
class FiguresTable extends Table {
  readonly lister = this.allowingQueries();
  readonly writer = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.figuresTable, partitionKey: 'part', sortKey: 'endpoint' });
  }
}

/** The data about offers that is not in the stage's file. */
export class Offers extends Construct {
  readonly changes: OfferChangesTable;
  readonly figures: FiguresTable;
  /** The right to read which offers exist, and the time for which a function remembers them. */
  readonly catalogue: Capability;
  /** The right to read which offers exist, and their figures. */
  readonly reader: Capability;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.changes = new OfferChangesTable(this, 'Endpoints', config);
    this.figures = new FiguresTable(this, 'Figures', config);
    const remembered = knowing({ [variables.endpointCacheSeconds]: String(config.endpointCacheSeconds) });
    this.catalogue = combine(this.changes.reader, remembered);
    this.reader = combine(this.catalogue, this.figures.lister);
  }
}
