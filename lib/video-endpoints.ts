import { INPUTS_PREFIX } from '../functions/videos/bucket-layout.ts';
import type { ReplaysTable } from './gate.ts';
import { keyedVideoProviders } from './provider-keys.ts';
import type { Videos, VideosProps } from './videos.ts';

export interface VideoEndpointsProps extends Omit<VideosProps, 'workspaces'> {
  readonly videos: Videos;
  readonly replays: ReplaysTable;
}

export const videoEndpoints = ({
  config,
  videos: { jobs, results, queue },
  settings,
  webhooks,
  files,
  accounts,
  replays,
  providerKeys,
}: VideoEndpointsProps) => ({
  'submit-video': [
    jobs.creator,
    queue.sender,
    results.writerBelow(INPUTS_PREFIX),
    results.removerBelow(INPUTS_PREFIX),
    files.rows.reader,
    accounts.reader,
    accounts.writer,
    replays.rememberer,
    settings.privateHosts,
    settings.videoProviders,
  ],
  'get-video': [jobs.reader],
  'list-videos': [jobs.lister],
  'list-video-events': [jobs.reader],
  'get-video-content': [jobs.reader, results.reader],
  'cancel-video': [
    jobs.changer,
    accounts.reader,
    accounts.writer,
    webhooks.events.creator,
    webhooks.queue.sender,
    providerKeys.userOf(keyedVideoProviders(config)),
    settings.privateHosts,
    settings.videoProviders,
  ],
  'list-video-deliveries': [jobs.reader, webhooks.events.reader],
  'redeliver-video-webhook': [jobs.reader, webhooks.redeliverer],
  'list-video-models': [settings.videoProviders],
});
