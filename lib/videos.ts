import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { INPUTS_PREFIX, KEPT_PREFIX } from '../functions/videos/bucket-layout.ts';
import { bedrockReader, bedrockSubmitter } from './bedrock.ts';
import type { Capability } from './constructs/capability.ts';
import { QueueConsumer, WorkQueue } from './constructs/queue-consumer.ts';
import { Sweeper } from './constructs/sweeper.ts';
import type { Files } from './files.ts';
import { VIDEO_WORKER_MEMORY } from './memory.ts';
import type { AccountsTable } from './money.ts';
import { keyedVideoProviders, type ProviderKeys } from './provider-keys.ts';
import type { Routing } from './routing.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import { JobsTable, ResultsBucket } from './video-stores.ts';
import type { Webhooks } from './webhooks.ts';
import type { WorkspacesTable } from './workspaces.ts';

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
