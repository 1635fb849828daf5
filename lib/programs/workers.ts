import { Duration } from 'aws-cdk-lib';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { INPUTS_PREFIX, KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { Sweeper } from '../constructs/clock.ts';
import { QueueConsumer, StreamConsumer } from '../constructs/consumers.ts';
import { STILLS_MEMORY, VIDEO_WORKER_MEMORY } from '../constructs/function-defaults.ts';
import type { Capability } from '../constructs/program.ts';
import type { Stores } from '../genway-stack.ts';
import type { StageConfig } from '../stage/config.ts';
import { bedrockReader, bedrockRemover, bedrockSubmitter } from './bedrock.ts';
import { DECODER_ARCHITECTURE, giveDecoder } from './decoder.ts';
import type { Settings } from './settings.ts';

interface WorkersProps extends Stores {
  readonly config: StageConfig;
  readonly settings: Settings;
}

/** The functions that nobody calls, each with its rights: they work off queues and streams, or run on a schedule. */
export function addWorkers(stack: Construct, props: WorkersProps): void {
  sweepFiles(props);
  deliverEvents(props);
  sweepEvents(props);
  submitJobs(props);
  pollVideos(props);
  copyVideos(props);
  sweepJobs(props);
  logGenerations(props);
  makeStills(props);
  sweepWorkspaces(stack, props);
  reconcileRows(stack, props);
}

const sweepFiles = ({ config, files }: WorkersProps) =>
  new Sweeper(files, 'Sweeper', {
    config,
    name: 'sweep-files',
    can: [files.rows.sweeper, files.objects.remover],
  });

const deliverEvents = ({ config, settings, webhooks, workspaces, broadcast, providerKeys }: WorkersProps) =>
  new QueueConsumer(webhooks, 'Deliverer', {
    config,
    name: 'deliver-events',
    queue: webhooks.queue,
    maxConcurrency: config.delivererConcurrency,
    reservedConcurrency: config.reservedConcurrency.deliverer,
    can: [
      webhooks.events.changer,
      // A trace is a separate row beside the event of a job's end.
      webhooks.events.creator,
      workspaces.reader,
      broadcast.reader,
      providerKeys.traceOpener,
      webhooks.settings.reader,
      webhooks.settings.changer,
      webhooks.hosts.keeper,
      webhooks.signingKey.deriver,
      settings.privateHosts,
      settings.wireNames,
      settings.deliverers,
    ],
  });

const sweepEvents = ({ config, webhooks }: WorkersProps) =>
  new Sweeper(webhooks, 'Sweeper', {
    config,
    name: 'sweep-events',
    can: [webhooks.events.sweeper, webhooks.queue.sender],
  });

const submitJobs = (props: WorkersProps) => {
  const { config, settings, videos, webhooks, offers } = props;
  return new QueueConsumer(videos, 'Submitter', {
    config,
    name: 'submit-jobs',
    queue: videos.submits,
    maxConcurrency: config.submitterConcurrency,
    reservedConcurrency: config.reservedConcurrency.submitter,
    memoryMegabytes: VIDEO_WORKER_MEMORY,
    can: [
      ...jobMover(props),
      ...jobSubmitter(props),
      videos.queue.sender,
      videos.shares.keeper,
      settings.submitters,
      settings.providerCallbacks,
      // The addresses that providers call are signed with the deployment's key.
      webhooks.signingKey.deriver,
      // How closely a job is polled depends on whether its provider has lately called.
      offers.figures.lister,
    ],
  });
};

const pollVideos = (props: WorkersProps) => {
  const { config, videos } = props;
  return new QueueConsumer(videos, 'Poller', {
    config,
    name: 'poll-videos',
    queue: videos.queue,
    maxConcurrency: config.pollerConcurrency,
    reservedConcurrency: config.reservedConcurrency.poller,
    can: [
      ...jobMover(props),
      videos.copies.sender,
      // It passes on what versions without submitters have sent.
      videos.submits.sender,
      // Such a version runs beside this one while a stage is upgraded, with the same role. The next version needs this no more.
      ...jobSubmitter(props),
    ],
  });
};

const copyVideos = (props: WorkersProps) => {
  const { config, settings, videos, workspaces } = props;
  return new QueueConsumer(videos, 'Copier', {
    config,
    name: 'copy-videos',
    queue: videos.copies,
    maxConcurrency: config.copierConcurrency,
    reservedConcurrency: config.reservedConcurrency.copier,
    // A slow copy must not delay other copies.
    batchSize: 1,
    memoryMegabytes: VIDEO_WORKER_MEMORY,
    can: [
      ...jobMover(props),
      videos.shares.keeper,
      settings.copiers,
      videos.results.uploaderBelow(KEPT_PREFIX),
      // Of several outputs it removes those that it has copied, if another cannot be.
      videos.results.removerBelow(KEPT_PREFIX),
      workspaces.reader,
      bedrockReader(config, videos.results),
      settings.resultDays,
    ],
  });
};

/** What drives jobs: calls providers, and ends jobs. */
const jobMover = ({
  settings,
  videos,
  accounts,
  webhooks,
  providerKeys,
  offers,
}: WorkersProps): Capability[] => [
  videos.jobs.changer,
  accounts.reader,
  accounts.writer,
  webhooks.events.creator,
  webhooks.queue.sender,
  providerKeys.videoUser,
  offers.catalogue,
  offers.figures.writer,
  settings.privateHosts,
  settings.videoProviders,
];

/** What hands jobs to providers, with their inputs. */
const jobSubmitter = ({ config, videos, files }: WorkersProps): Capability[] => [
  videos.results.readerBelow(INPUTS_PREFIX),
  // A result may be the input of another job.
  videos.results.readerBelow(KEPT_PREFIX),
  videos.jobs.reader,
  files.rows.reader,
  files.objects.reader,
  bedrockSubmitter(config, videos.results),
];

const sweepJobs = ({ config, videos, webhooks, accounts }: WorkersProps) =>
  new Sweeper(videos, 'Sweeper', {
    config,
    name: 'sweep-jobs',
    can: [
      videos.jobs.sweeper,
      videos.submits.sender,
      videos.queue.sender,
      videos.copies.sender,
      // A quarantined job ends like any job: with an event, and without its holds.
      webhooks.events.creator,
      accounts.reader,
      accounts.writer,
    ],
  });

const logGenerations = ({
  config,
  settings,
  generations,
  webhooks,
  workspaces,
  videos,
  files,
}: WorkersProps) =>
  new StreamConsumer(generations, 'Logger', {
    config,
    name: 'log-generations',
    timeout: Duration.minutes(1),
    table: webhooks.events,
    // The outbox has exactly one event for each job's end. Events that only test an address have no job.
    where: { job_id: { S: FilterRule.exists() } },
    can: [
      workspaces.reader,
      videos.jobs.reader,
      videos.jobs.keeper,
      files.rows.reader,
      videos.results.readerBelow(INPUTS_PREFIX),
      generations.contents.creator,
      generations.logsKey.sealer,
      settings.generationLogDays,
    ],
  });

const makeStills = ({ config, webhooks, videos }: WorkersProps) => {
  const program = new StreamConsumer(videos, 'Stills', {
    config,
    name: 'make-stills',
    // The last frame of a clip in 4K comes after all those before it.
    timeout: Duration.minutes(3),
    memoryMegabytes: STILLS_MEMORY,
    architecture: DECODER_ARCHITECTURE,
    table: webhooks.events,
    where: {
      job_id: { S: FilterRule.exists() },
      type: { S: FilterRule.isEqual('video.generation.completed') },
    },
    // A video on which the decoder dies must not hold up the others: after three tries it has no stills.
    pace: { batchSize: 1, parallelizationFactor: 10, retryAttempts: 2 },
    can: [
      videos.jobs.changer,
      videos.results.readerBelow(KEPT_PREFIX),
      videos.results.writerBelow(KEPT_PREFIX),
      videos.results.removerBelow(KEPT_PREFIX),
    ],
  });
  giveDecoder(program, config);
};

/** Deletes the data of a deleted workspace, and settings that a crash has left behind. */
const sweepWorkspaces = (stack: Construct, props: WorkersProps) =>
  new Sweeper(stack, 'WorkspaceSweeper', {
    config: props.config,
    name: 'sweep-workspaces',
    can: [...settingsRemover(props), ...dataPurger(props)],
  });

const settingsRemover = ({
  workspaces,
  keys,
  providerKeys,
  lists,
  guardrails,
  webhooks,
  broadcast,
}: WorkersProps): Capability[] => [
  workspaces.sweeper,
  keys.purger,
  providerKeys.rows.lister,
  providerKeys.rows.remover,
  lists.changer,
  guardrails.clearer,
  webhooks.settings.changer,
  broadcast.remover,
];

const dataPurger = ({
  config,
  settings,
  replays,
  webhooks,
  files,
  videos,
  offers,
  generations,
}: WorkersProps): Capability[] => [
  videos.jobs.purger,
  videos.results.purger,
  bedrockRemover(config),
  settings.videoProviders,
  webhooks.events.purger,
  webhooks.hosts.purger,
  offers.figures.lister,
  offers.figures.writer,
  replays.purger,
  files.rows.purger,
  files.objects.purger,
  generations.contents.purger,
];

/** Compares accounts, jobs and events with each other, and lists with their entries. */
const reconcileRows = (
  stack: Construct,
  { config, accounts, videos, webhooks, lists, workspaces, keys, providerKeys }: WorkersProps,
) =>
  new Sweeper(stack, 'Reconciler', {
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
      workspaces.pageReader,
      keys.lister,
      keys.reader,
      providerKeys.rows.lister,
      providerKeys.rows.pageReader,
    ],
  });
