import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Architecture, Code, FilterRule, type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { MOST_CALLS_AT_ONCE } from '../../functions/fair-shares.ts';
import { INPUTS_PREFIX, KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { DECODER_LAYER, ROOT } from '../bundling/folders.ts';
import { asInterface } from '../constructs/as-interface.ts';
import { Sweeper } from '../constructs/clock.ts';
import { QueueConsumer, StreamConsumer } from '../constructs/consumers.ts';
import { STILLS_MEMORY, SUBMITTER_MEMORY } from '../constructs/function-defaults.ts';
import type { Capability, GenwayFunction } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import type { Stores } from '../stores/stores.ts';
import { bedrockReader, bedrockSubmitter } from './bedrock.ts';
import type { Settings } from './settings.ts';

export interface WorkersProps extends Stores {
  readonly config: StageConfig;
  readonly settings: Settings;
}

/** The functions that take a job from its submit to its result and its pictures. */
export function addVideoWorkers(props: WorkersProps): void {
  submitJobs(props);
  pollVideos(props);
  copyVideos(props);
  sweepJobs(props);
  makeStills(props);
}

const submitJobs = (props: WorkersProps) => {
  const { config, settings, videos, webhooks, offers } = props;
  return new QueueConsumer(videos, 'Submitter', {
    config,
    name: 'submit-jobs',
    queue: videos.submits,
    maxConcurrency: config.submitterConcurrency,
    reservedConcurrency: config.reservedConcurrency.submitter,
    // Of a larger batch for one provider the rest would be put off, each with a write and another message.
    batchSize: MOST_CALLS_AT_ONCE.submit,
    memoryMegabytes: SUBMITTER_MEMORY,
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

/** The decoder's authors build it for Linux on this one, and for nothing else that Lambda runs on. */
const DECODER_ARCHITECTURE = Architecture.X86_64;
/** As a layer; on the emulator, where it takes no more than its address, from the packages of the checkout. */
function giveDecoder(program: GenwayFunction, { platform }: StageConfig): void {
  if (platform === 'emulator') {
    program.addEnvironment('NODE_PATH', join(ROOT, 'node_modules'));
    return;
  }
  const layer = new LayerVersion(program, 'Decoder', {
    code: Code.fromAsset(DECODER_LAYER),
    compatibleArchitectures: [DECODER_ARCHITECTURE],
    license: 'MIT AND LGPL-2.1-or-later AND BSD-2-Clause AND BSD-3-Clause',
    description: 'Decodes videos for their thumbnails',
  });
  program.addLayers(asInterface<ILayerVersion>(layer));
}
