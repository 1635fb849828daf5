import { INPUTS_PREFIX } from '../functions/videos/bucket-layout.ts';
import type { DeploymentValues } from './areas/deployment.ts';
import type { ReplaysTable } from './areas/gate.ts';
import type { Generations } from './areas/generations.ts';
import type { GuardrailsTable } from './areas/guardrails.ts';
import { keyedVideoProviders } from './areas/provider-keys.ts';
import type { Settings } from './areas/settings.ts';
import type { Videos, VideosProps } from './areas/videos.ts';
import type { Webhooks } from './areas/webhooks.ts';
import type { WorkspacesTable } from './areas/workspaces.ts';
import { combine } from './constructs/program.ts';
import type { Downloads } from './edge/downloads.ts';

interface VideoEndpointsProps extends VideosProps {
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

interface WebhookEndpointsProps {
  readonly webhooks: Webhooks;
  readonly workspaces: WorkspacesTable;
  readonly settings: Settings;
  readonly values: DeploymentValues;
}

/** The endpoints for a workspace's webhook: its settings, its secrets, and its deliveries. */
export const webhookEndpoints = ({ webhooks, workspaces, settings, values }: WebhookEndpointsProps) => ({
  'get-workspace-webhook': [workspaces.reader, webhooks.settings.reader],
  'put-workspace-webhook': [workspaces.reader, webhooks.settings.changer, settings.privateHosts],
  'delete-workspace-webhook': [workspaces.reader, webhooks.settings.changer],
  'rotate-webhook-secret': [workspaces.reader, webhooks.settings.changer, webhooks.signingKey.deriver],
  'reveal-webhook-secret': [workspaces.reader, webhooks.settings.reader, webhooks.signingKey.deriver],
  'get-webhook-keys': [values.webhookKeys],
  'list-webhook-deliveries': [workspaces.reader, webhooks.events.lister],
  'redeliver-webhook-delivery': [workspaces.reader, webhooks.redeliverer],
  'recover-webhook-deliveries': [workspaces.reader, webhooks.redeliverer, webhooks.events.finderOfLost],
  'test-workspace-webhook': [
    workspaces.reader,
    webhooks.events.creator,
    webhooks.settings.reader,
    webhooks.queue.sender,
    settings.privateHosts,
  ],
});

/** The description of the API. The bundles of its functions contain what they serve, so they need no capabilities. */
export const descriptionEndpoints = () => ({
  'get-openapi-json': [],
  'get-openapi-yaml': [],
  'get-docs': [],
  'get-docs-asset': [],
});
