import { INPUTS_PREFIX } from '../functions/videos/bucket-layout.ts';
import type { ReplaysTable } from './gate.ts';
import { keyedVideoProviders } from './provider-keys.ts';
import type { Videos, VideosProps } from './videos.ts';

export interface VideoEndpointsProps extends VideosProps {
  readonly videos: Videos;
  readonly replays: ReplaysTable;
}

/** To accept a job: what it is about, who serves it, what it may cost. */
const submitter = ({
  videos: { jobs, results, queue },
  settings,
  files,
  accounts,
  replays,
  workspaces,
  providerKeys,
  routing,
}: VideoEndpointsProps) => [
  jobs.creator,
  queue.sender,
  results.writerBelow(INPUTS_PREFIX),
  results.removerBelow(INPUTS_PREFIX),
  files.rows.reader,
  accounts.reader,
  accounts.writer,
  replays.rememberer,
  workspaces.reader,
  providerKeys.rows.lister,
  routing.reader,
  settings.privateHosts,
  settings.videoProviders,
];

/** To end a job that its provider has. */
const canceller = ({
  config,
  videos,
  settings,
  webhooks,
  accounts,
  providerKeys,
  routing,
}: VideoEndpointsProps) => [
  videos.jobs.changer,
  accounts.reader,
  accounts.writer,
  webhooks.events.creator,
  webhooks.queue.sender,
  providerKeys.userOf(keyedVideoProviders(config)),
  routing.endpoints.reader,
  settings.privateHosts,
  settings.videoProviders,
];

export function videoEndpoints(props: VideoEndpointsProps) {
  const {
    videos: { jobs, results },
    settings,
    routing,
    webhooks,
  } = props;
  return {
    'submit-video': submitter(props),
    'get-video': [jobs.reader],
    'list-videos': [jobs.lister],
    'list-video-events': [jobs.reader],
    'get-video-content': [jobs.reader, results.reader],
    'cancel-video': canceller(props),
    'list-video-deliveries': [jobs.reader, webhooks.events.reader],
    'redeliver-video-webhook': [jobs.reader, webhooks.redeliverer],
    'list-video-models': [routing.reader, settings.videoProviders],
  };
}
