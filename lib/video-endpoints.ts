import { INPUTS_PREFIX } from '../functions/videos/bucket-layout.ts';
import { combine } from './constructs/capability.ts';
import type { Downloads } from './downloads.ts';
import type { ReplaysTable } from './gate.ts';
import type { Generations } from './generations.ts';
import type { GuardrailsTable } from './guardrails.ts';
import { keyedVideoProviders } from './provider-keys.ts';
import type { Videos, VideosProps } from './videos.ts';

export interface VideoEndpointsProps extends VideosProps {
  readonly videos: Videos;
  readonly guardrails: GuardrailsTable;
  readonly replays: ReplaysTable;
  readonly generations: Generations;
  readonly downloads: Downloads;
}

export const videoEndpoints = (props: VideoEndpointsProps) => {
  const { videos, settings, webhooks, workspaces, routing, generations, downloads } = props;
  const { jobs, results } = videos;
  // A management key may name the workspace of a job.
  const job = combine(jobs.reader, workspaces.reader);
  const links = downloads.linksTo(results);
  return {
    'submit-video': submitter(props),
    'estimate-video': [
      props.files.rows.reader,
      props.accounts.reader,
      settings.privateHosts,
      ...chooser(props),
    ],
    'get-video': [job, links],
    'list-videos': [jobs.lister, links, workspaces.reader],
    'delete-video': [job, jobs.remover, results.purger, generations.contents.remover],
    'list-video-events': [job],
    'get-video-content': [job, links],
    'cancel-video': [job, ...canceller(props)],
    'list-video-deliveries': [job, webhooks.events.reader],
    'redeliver-video-webhook': [job, webhooks.redeliverer],
    'list-video-models': [routing.reader, settings.videoProviders, settings.dataDiscount],
  };
};

/** What the choice of an endpoint needs: what is offered, which accounts exist, and what the workspace wants. */
const chooser = ({ settings, workspaces, guardrails, providerKeys, routing }: VideoEndpointsProps) => [
  settings.videoProviders,
  settings.dataDiscount,
  workspaces.reader,
  workspaces.policyReader,
  guardrails.policyReader,
  providerKeys.rows.lister,
  routing.reader,
];

const submitter = (props: VideoEndpointsProps) => [
  props.videos.jobs.creator,
  props.videos.queue.sender,
  props.videos.results.writerBelow(INPUTS_PREFIX),
  props.videos.results.removerBelow(INPUTS_PREFIX),
  props.files.rows.reader,
  props.accounts.reader,
  props.accounts.writer,
  props.replays.rememberer,
  props.settings.privateHosts,
  ...chooser(props),
];

const canceller = ({
  config,
  videos,
  accounts,
  webhooks,
  providerKeys,
  routing,
  settings,
}: VideoEndpointsProps) => [
  videos.jobs.changer,
  accounts.reader,
  accounts.writer,
  webhooks.events.creator,
  webhooks.queue.sender,
  providerKeys.userOf(keyedVideoProviders(config)),
  routing.catalogue,
  settings.privateHosts,
  settings.videoProviders,
];
