import { Duration } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { RETENTION_DAYS } from '../functions/retention-days.ts';
import { BEDROCK_PREFIX, INPUTS_PREFIX, keptPrefix } from '../functions/videos/bucket-layout.ts';
import { CHOSEN_BY, JOBS_BY_STATUS, JOBS_BY_WORKSPACE } from '../functions/videos/table.ts';
import { grantBedrock } from './bedrock.ts';
import { Bucket } from './bucket.ts';
import type { Files } from './files.ts';
import type { Replays } from './limits.ts';
import type { AccountsTable } from './money.ts';
import { addOverdueIndex } from './overdue-index.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { QueueConsumer, sendTo, WorkQueue } from './queue-consumer.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Sweeper } from './sweeper.ts';
import { Table } from './table.ts';
import type { Webhooks } from './webhooks.ts';

export interface VideosProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly webhooks: Webhooks;
  readonly files: Files;
  readonly accounts: AccountsTable;
  readonly replays: Replays;
  readonly providerKeys: ProviderKeys;
  readonly workspaces: Table;
}

/** What a job needs until it is done is kept for longer than any job may take. */
const RESULTS_LIFE = {
  [INPUTS_PREFIX]: Duration.days(7),
  [BEDROCK_PREFIX]: Duration.days(7),
  ...Object.fromEntries(RETENTION_DAYS.map((days) => [keptPrefix(days), Duration.days(days)])),
};

/** Video jobs: their rows, the queue that keeps them moving, the poller, and the endpoints over them. */
export class Videos extends Construct {
  readonly #jobs: Table;
  /** Videos, and the inputs that came with their requests. */
  readonly results: Bucket;
  readonly queue: WorkQueue;

  constructor(scope: Construct, id: string, props: VideosProps) {
    super(scope, id);
    const { config } = props;
    const timeout = Duration.seconds(60);
    this.#jobs = new Table(this, 'Jobs', {
      config,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
    this.#jobs.addGlobalSecondaryIndex({
      indexName: JOBS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });
    this.#jobs.addGlobalSecondaryIndex({
      indexName: JOBS_BY_STATUS,
      partitionKey: { name: 'workspace_status', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: CHOSEN_BY,
    });
    addOverdueIndex(this.#jobs, ['workspace_id', 'seq', 'link']);
    this.results = new Bucket(this, 'Results', { config, expireAfter: RESULTS_LIFE });
    this.queue = new WorkQueue(this, 'Queue', { timeout });
    this.#poll(props, timeout);
    this.#sweep(config);
    this.#serve(props);
  }

  #poll(
    { config, webhooks, files, accounts, providerKeys, workspaces }: VideosProps,
    timeout: Duration,
  ): void {
    const poller = new QueueConsumer(this, 'Poller', {
      config,
      name: 'poll-videos',
      queue: this.queue,
      timeout,
      maxConcurrency: config.pollerConcurrency,
      // Copies results as streams, and renders the sandbox's clips.
      memoryMegabytes: 1024,
      environment: {
        JOBS_TABLE: this.#jobs.tableName,
        JOBS_QUEUE_URL: this.queue.queueUrl,
        EVENTS_TABLE: webhooks.events.tableName,
        ACCOUNTS_TABLE: accounts.tableName,
        EVENTS_QUEUE_URL: webhooks.queue.queueUrl,
        RESULTS_BUCKET: this.results.bucketName,
        RESULT_DAYS: String(config.resultDays),
        WORKSPACES_TABLE: workspaces.tableName,
        FILES_TABLE: files.table.tableName,
        FILES_BUCKET: files.bucket.bucketName,
        PRIVATE_HOSTS: config.allowedPrivateHosts.join(','),
        VIDEO_PROVIDERS: JSON.stringify(config.videos.providers),
        ...providerKeys.environment,
      },
    });
    providerKeys.grantUse(poller);
    this.#jobs.grant(poller, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    workspaces.grant(poller, 'dynamodb:GetItem');
    webhooks.events.grant(poller, 'dynamodb:PutItem');
    accounts.grant(poller, 'dynamodb:BatchGetItem', 'dynamodb:UpdateItem');
    poller.addToRolePolicy(sendTo(webhooks.queue));
    this.results.grantPut(poller);
    this.results.grantRead(poller);
    files.table.grant(poller, 'dynamodb:GetItem');
    files.bucket.grantRead(poller);
    grantBedrock(poller, config);
  }

  #sweep(config: StageConfig): void {
    const sweeper = new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-jobs',
      environment: { JOBS_TABLE: this.#jobs.tableName, JOBS_QUEUE_URL: this.queue.queueUrl },
    });
    this.#jobs.grant(sweeper, 'dynamodb:Query');
    sweeper.addToRolePolicy(sendTo(this.queue));
  }

  #serve({ api, config, webhooks, files, accounts, replays, providerKeys }: VideosProps): void {
    const JOBS_TABLE = this.#jobs.tableName;
    const PRIVATE_HOSTS = config.allowedPrivateHosts.join(',');
    const VIDEO_PROVIDERS = JSON.stringify(config.videos.providers);
    const submit = api.serve('submit-video', {
      environment: {
        JOBS_TABLE,
        ACCOUNTS_TABLE: accounts.tableName,
        REPLAYS_TABLE: replays.tableName,
        JOBS_QUEUE_URL: this.queue.queueUrl,
        FILES_TABLE: files.table.tableName,
        RESULTS_BUCKET: this.results.bucketName,
        PRIVATE_HOSTS,
        VIDEO_PROVIDERS,
      },
    });
    this.#jobs.grant(submit, 'dynamodb:PutItem');
    files.table.grant(submit, 'dynamodb:GetItem');
    this.results.grantPut(submit);
    accounts.grant(submit, 'dynamodb:BatchGetItem', 'dynamodb:UpdateItem');
    replays.grant(submit, 'dynamodb:GetItem', 'dynamodb:PutItem');
    submit.addToRolePolicy(sendTo(this.queue));

    this.#jobs.grant(api.serve('get-video', { environment: { JOBS_TABLE } }), 'dynamodb:GetItem');

    this.#jobs.grant(api.serve('list-video-events', { environment: { JOBS_TABLE } }), 'dynamodb:GetItem');
    const list = api.serve('list-videos', { environment: { JOBS_TABLE } });
    this.#jobs.grant(list, 'dynamodb:Query', 'dynamodb:BatchGetItem');

    const cancel = api.serve('cancel-video', {
      environment: {
        JOBS_TABLE,
        EVENTS_TABLE: webhooks.events.tableName,
        ACCOUNTS_TABLE: accounts.tableName,
        EVENTS_QUEUE_URL: webhooks.queue.queueUrl,
        PRIVATE_HOSTS,
        VIDEO_PROVIDERS,
        ...providerKeys.environment,
      },
    });
    providerKeys.grantUse(cancel);
    this.#jobs.grant(cancel, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    webhooks.events.grant(cancel, 'dynamodb:PutItem');
    accounts.grant(cancel, 'dynamodb:BatchGetItem', 'dynamodb:UpdateItem');
    cancel.addToRolePolicy(sendTo(webhooks.queue));

    const content = api.serve('get-video-content', {
      environment: { JOBS_TABLE, RESULTS_BUCKET: this.results.bucketName },
    });
    this.#jobs.grant(content, 'dynamodb:GetItem');
    this.results.grantRead(content);

    const deliveries = api.serve('list-video-deliveries', {
      environment: { JOBS_TABLE, EVENTS_TABLE: webhooks.events.tableName },
    });
    webhooks.events.grant(deliveries, 'dynamodb:GetItem');
    const redeliver = api.serve('redeliver-video-webhook', {
      environment: { JOBS_TABLE, ...webhooks.redeliveryEnvironment },
    });
    webhooks.grantRedelivery(redeliver);
    for (const handler of [deliveries, redeliver]) this.#jobs.grant(handler, 'dynamodb:GetItem');

    api.serve('list-video-models', { environment: { VIDEO_PROVIDERS } });
  }
}
