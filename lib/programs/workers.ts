import { Duration } from 'aws-cdk-lib';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { INPUTS_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { Bucket } from '../constructs/bucket.ts';
import { Sweeper } from '../constructs/clock.ts';
import { QueueConsumer, StreamConsumer } from '../constructs/consumers.ts';
import type { Capability } from '../constructs/program.ts';
import { bedrockRemover } from './bedrock.ts';
import { addVideoWorkers, type WorkersProps } from './video-workers.ts';

/** The functions that nobody calls, each with its rights: they work off queues and streams, or run on a schedule. */
export function addWorkers(stack: Construct, props: WorkersProps): void {
  sweepFiles(props);
  deliverEvents(props);
  sweepEvents(props);
  addVideoWorkers(props);
  logGenerations(props);
  sweepWorkspaces(stack, props);
  reconcileRows(stack, props);
  exportAudit(stack, props);
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

/** Lambda's limit. A million entries take five minutes of it if each of two calls for a hundred takes 15 ms. */
const LONGEST_RUN = Duration.minutes(15);

/** Copies the audit trail to where nobody can change it, if the stage wants that. */
function exportAudit(stack: Construct, { config, audit }: WorkersProps): void {
  const { auditExportDays } = config;
  if (auditExportDays === undefined) return;
  const bucket = new Bucket(stack, 'AuditExport', {
    config,
    variable: variables.auditBucket,
    lockedFor: Duration.days(auditExportDays),
    logFolder: 'AuditExport',
  });
  new Sweeper(stack, 'AuditExporter', {
    config,
    name: 'export-audit',
    runs: 'EveryHour',
    timeout: LONGEST_RUN,
    can: [audit.lister, bucket.lister, bucket.uploader],
  });
}
