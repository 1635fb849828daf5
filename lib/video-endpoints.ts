import { INPUTS_PREFIX } from '../functions/videos/bucket-layout.ts';
import { combine } from './constructs/capability.ts';
import type { ReplaysTable } from './gate.ts';
import { keyedVideoProviders } from './provider-keys.ts';
import type { Videos, VideosProps } from './videos.ts';

export interface VideoEndpointsProps extends VideosProps {
  readonly videos: Videos;
  readonly replays: ReplaysTable;
}

export const videoEndpoints = (props: VideoEndpointsProps) => {
  const { videos, settings, webhooks, workspaces } = props;
  const { jobs, results } = videos;
  // A management key may name the workspace that a job is of.
  const job = combine(jobs.reader, workspaces.reader);
  return {
    'submit-video': submitter(props),
    'estimate-video': [
      props.files.rows.reader,
      props.accounts.reader,
      settings.privateHosts,
      settings.videoProviders,
      workspaces.reader,
    ],
    'get-video': [job, results.reader],
    'list-videos': [jobs.lister, results.reader, workspaces.reader],
    'delete-video': [job, jobs.remover, results.purger],
    'list-video-events': [job],
    'get-video-content': [job, results.reader],
    'cancel-video': [job, ...canceller(props)],
    'list-video-deliveries': [job, webhooks.events.reader],
    'redeliver-video-webhook': [job, webhooks.redeliverer],
    'list-video-models': [settings.videoProviders],
  };
};

const submitter = ({ videos, files, accounts, replays, settings, workspaces }: VideoEndpointsProps) => [
  videos.jobs.creator,
  videos.queue.sender,
  videos.results.writerBelow(INPUTS_PREFIX),
  videos.results.removerBelow(INPUTS_PREFIX),
  files.rows.reader,
  accounts.reader,
  accounts.writer,
  replays.rememberer,
  settings.privateHosts,
  settings.videoProviders,
  workspaces.reader,
];

const canceller = ({ config, videos, accounts, webhooks, providerKeys, settings }: VideoEndpointsProps) => [
  videos.jobs.changer,
  accounts.reader,
  accounts.writer,
  webhooks.events.creator,
  webhooks.queue.sender,
  providerKeys.userOf(keyedVideoProviders(config)),
  settings.privateHosts,
  settings.videoProviders,
];
