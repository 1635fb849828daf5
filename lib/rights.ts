import { operations } from '../functions/endpoints/definitions.ts';
import { variables } from '../functions/environment-names.ts';
import { isAudited, type Route } from '../functions/http/routes.ts';
import { INPUTS_PREFIX, KEPT_PREFIX } from '../functions/videos/bucket-layout.ts';
import { forEachRoute, type PerRoute } from './api/rest-api.ts';
import { type Capability, combine, knowing } from './constructs/program.ts';
import type { Downloads } from './edge/downloads.ts';
import { bedrockRemover } from './programs/bedrock.ts';
import type { DeploymentValues } from './programs/deployment.ts';
import { entrance } from './programs/entrance.ts';
import type { ProviderKeyOpener } from './programs/provider-key-opener.ts';
import type { Settings } from './programs/settings.ts';
import type { StageConfig } from './stage/config.ts';
import type { Stores } from './stores/stores.ts';

/** What the rights of endpoints are made of. */
export interface Parts extends Stores {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly values: DeploymentValues;
  readonly downloads: Downloads;
  readonly keyOpener: ProviderKeyOpener;
}

/** What the function of each endpoint may do: what the gate in front of it needs, and what it does itself. */
export function rightsOf(parts: Parts): PerRoute<Capability> {
  const own = ownRights(parts);
  const described = operations();
  return forEachRoute((id, route) => {
    const known = Object.keys(described[id].query ?? {});
    return combine(...atTheGate(route, known, parts), ...own[id]);
  });
}

/** The gate checks every credential and parameter, records changes by management keys, and counts the calls of each key. */
function atTheGate(route: Route, queryParameters: readonly string[], parts: Parts): Capability[] {
  const { config, keys, sessions, audit, buckets } = parts;
  const { access, limit } = route;
  return [
    entrance(parts),
    ...(access === 'public'
      ? []
      : [keys.authenticator, sessions.finder, strictness(queryParameters, config)]),
    ...(isAudited(route) ? [audit.writer] : []),
    ...(limit === undefined
      ? []
      : [
          buckets.counter,
          knowing({ [variables.requestsPerMinute]: String(config.requestsPerMinute[limit]) }),
        ]),
  ];
}

const strictness = (queryParameters: readonly string[], { strict }: StageConfig): Capability =>
  knowing({
    [variables.strict]: strict ? 'on' : 'off',
    [variables.queryParameters]: queryParameters.join(','),
  });

/** It reads better whole: a row for each endpoint. The compiler names a route without one, and a row without a route. */
function ownRights(parts: Parts): PerRoute<readonly Capability[]> {
  const { config, settings, values, downloads, keyOpener } = parts;
  const { approvals, keys, sessions, buckets, accounts, lists, replays, audit, workspaces, guardrails } =
    parts;
  const { providerKeys, offers, files, broadcast, webhooks, videos, generations } = parts;
  const { jobs, results } = videos;

  // The rules of a guardrail name models and providers, so these are looked up.
  const namesOfModels = [offers.catalogue, settings.videoProviders];
  const shownModels = [offers.reader, settings.videoProviders, settings.dataDiscount];
  // A workspace's own guardrail does not name it, so all of them are looked through.
  const allWorkspaces = [lists.reader, workspaces.pageReader, workspaces.lister];
  // A management key may name any workspace, so the workspace must be looked up.
  const fileScope = combine(
    workspaces.reader,
    keyOpener.user,
    settings.providerBaseUrls,
    settings.privateHosts,
    settings.wireNames,
  );
  const job = combine(jobs.reader, workspaces.reader);
  const links = downloads.linksTo(results);
  // The choice of an offer: what is offered, which accounts exist, and what the workspace wants.
  const chooser = [
    settings.videoProviders,
    settings.dataDiscount,
    workspaces.reader,
    workspaces.policyReader,
    guardrails.policyReader,
    providerKeys.rows.lister,
    offers.reader,
  ];
  const submitter = [
    jobs.creator,
    // Inputs may be the results of other jobs.
    jobs.reader,
    videos.submits.sender,
    // Beside this version runs one without submitters, while a stage is upgraded. The next needs this no more.
    videos.queue.sender,
    results.writerBelow(INPUTS_PREFIX),
    results.removerBelow(INPUTS_PREFIX),
    files.rows.reader,
    accounts.reader,
    accounts.writer,
    replays.rememberer,
    settings.privateHosts,
    ...chooser,
  ];
  // The first change of a list reads all keys to build it.
  const keyLives = [accounts.writer, workspaces.counter, keys.lister, lists.changer];
  // A file is only stored if its key and its workspace still exist.
  const fileCreator = [files.rows.creator, keys.keeper, workspaces.keeper];
  // Keys name a guardrail in one transaction with it and with their workspace.
  const assigner = [
    guardrails.reader,
    guardrails.named,
    ...allWorkspaces,
    workspaces.counter,
    keys.reader,
    keys.changer,
  ];

  const asker = [approvals.creator, settings.approvals];

  return {
    'create-key': [...asker, keys.creator, ...keyLives, workspaces.reader, guardrails.named],
    'list-keys': [lists.reader, keys.reader, keys.lister, accounts.reader, workspaces.reader],
    'get-key': [keys.reader, accounts.reader],
    'get-current-key': [keys.reader, accounts.reader, workspaces.policyReader],
    'update-key': [
      settings.approvals,
      workspaces.reader,
      keys.reader,
      keys.changer,
      ...keyLives,
      accounts.reader,
      guardrails.named,
    ],
    'delete-key': [keys.remover, ...keyLives],
    'create-session': [sessions.creator],
    'get-oidc': [settings.oidc, settings.privateHosts],
    // A person's key is made when they first sign in, in the default workspace.
    'create-oidc-session': [
      settings.oidc,
      settings.privateHosts,
      buckets.counter,
      keys.finder,
      keys.creator,
      ...keyLives,
      sessions.creator,
      audit.writer,
    ],
    'renew-session': [sessions.renewer],
    'end-session': [sessions.remover],

    'create-workspace': [workspaces.creator, workspaces.lister, lists.changer, replays.rememberer],
    'get-workspace': [workspaces.reader],
    'list-workspaces': allWorkspaces,
    'update-workspace': [workspaces.changer, guardrails.keeper],
    // Its settings and what links lead to are deleted at once; the sweeper deletes the rest soon after.
    'delete-workspace': [
      workspaces.remover,
      workspaces.lister,
      lists.changer,
      keys.lister,
      accounts.writer,
      providerKeys.rows.lister,
      providerKeys.rows.remover,
      guardrails.clearer,
      webhooks.settings.changer,
      broadcast.remover,
      files.objects.purger,
      results.purgerBelow(KEPT_PREFIX),
    ],

    // The limit of a guardrail is an account.
    'create-guardrail': [
      guardrails.creator,
      workspaces.reader,
      workspaces.keeper,
      accounts.writer,
      ...namesOfModels,
    ],
    'list-guardrails': [guardrails.lister, workspaces.reader],
    'get-guardrail': [guardrails.reader, ...allWorkspaces],
    'update-guardrail': [
      guardrails.changer,
      ...allWorkspaces,
      workspaces.keeper,
      accounts.reader,
      accounts.writer,
      ...namesOfModels,
    ],
    // Keys may name the guardrail too.
    'delete-guardrail': [guardrails.remover, ...allWorkspaces, workspaces.keeper, keys.reader, keys.lister],
    'list-key-assignments': [lists.reader, keys.reader, keys.lister],
    'list-assigned-keys': [guardrails.reader, ...allWorkspaces, keys.reader, keys.lister],
    'assign-keys': assigner,
    'unassign-keys': assigner,

    'list-budgets': [workspaces.reader, accounts.reader],
    'get-budget': [workspaces.reader, accounts.reader],
    'put-budget': [workspaces.reader, workspaces.counter, accounts.reader, accounts.writer],
    'delete-budget': [workspaces.reader, accounts.reader, accounts.writer],
    'get-credits': [accounts.reader],
    'grant-credits': [accounts.reader, accounts.granter, replays.rememberer],
    'list-activity': [accounts.reporter],
    'get-analytics-meta': [],
    'query-analytics': [accounts.reporter],
    'list-audit': [audit.lister],

    'create-provider-key': [
      providerKeys.rows.creator,
      providerKeys.rows.lister,
      lists.changer,
      providerKeys.sealer,
      workspaces.reader,
      providerKeys.takers,
    ],
    'list-provider-keys': [
      lists.reader,
      providerKeys.rows.pageReader,
      providerKeys.rows.lister,
      workspaces.reader,
    ],
    'get-provider-key': [providerKeys.rows.reader],
    'update-provider-key': [providerKeys.rows.changer, providerKeys.sealer],
    'delete-provider-key': [providerKeys.rows.remover, providerKeys.rows.lister, lists.changer],
    'test-provider-key': [
      providerKeys.tester,
      settings.videoProviders,
      settings.providerBaseUrls,
      settings.privateHosts,
    ],

    'upload-file': [
      fileScope,
      ...fileCreator,
      files.objects.uploader,
      files.objects.remover,
      settings.storageQuota,
    ],
    'create-upload': [workspaces.reader, ...fileCreator, settings.storageQuota, settings.wireNames],
    'add-upload-part': [
      workspaces.reader,
      files.rows.partTaker,
      files.objects.uploader,
      files.objects.remover,
    ],
    'complete-upload': [
      workspaces.reader,
      ...fileCreator,
      files.objects.reader,
      files.objects.uploader,
      files.objects.remover,
      settings.wireNames,
    ],
    'cancel-upload': [workspaces.reader, files.rows.partTaker, files.objects.remover, settings.wireNames],
    'list-files': [fileScope, files.rows.lister, settings.storageQuota],
    'get-file': [fileScope, files.rows.reader],
    'get-file-content': [fileScope, files.rows.reader, downloads.linksTo(files.objects)],
    'delete-file': [fileScope, files.rows.remover, files.objects.remover],

    'submit-video': submitter,
    // Each is a submit of a video that the caller names.
    'edit-video': [...submitter, job],
    'extend-video': [...submitter, job],
    'remix-video': [...submitter, job],
    'estimate-video': [jobs.reader, files.rows.reader, accounts.reader, settings.privateHosts, ...chooser],
    'list-video-models': shownModels,
    'list-models': shownModels,
    'count-models': namesOfModels,
    'get-model': shownModels,
    'list-own-models': [...shownModels, workspaces.policyReader, guardrails.policyReader],
    'list-zdr-endpoints': [...shownModels, providerKeys.rows.lister],
    'list-model-endpoints': shownModels,
    'list-providers': namesOfModels,
    // Links that a management key gets are recorded.
    'get-video': [job, links, audit.writer],
    'list-videos': [jobs.lister, links, workspaces.reader, audit.writer],
    'delete-video': [
      job,
      jobs.remover,
      results.purger,
      bedrockRemover(config),
      settings.videoProviders,
      generations.contents.remover,
    ],
    'list-video-events': [job],
    'get-video-content': [job, links],
    'cancel-video': [
      job,
      jobs.changer,
      accounts.reader,
      accounts.writer,
      webhooks.events.creator,
      webhooks.queue.sender,
      providerKeys.videoUser,
      offers.catalogue,
      settings.privateHosts,
      settings.videoProviders,
    ],
    // Anybody may call it, so it has no secret: a public key tells it which callbacks are true.
    'receive-callback': [
      jobs.callbackCounter,
      videos.queue.sender,
      settings.videoProviders,
      values.webhookKeys,
    ],
    'list-video-deliveries': [job, webhooks.events.reader],
    'redeliver-video-webhook': [job, webhooks.redeliverer],
    'get-generation': [jobs.reader, workspaces.reader],
    'get-generation-content': [
      jobs.reader,
      workspaces.reader,
      generations.contents.reader,
      generations.logsKey.opener,
    ],

    // These change what the stage offers, without a deployment.
    'list-endpoints': [offers.changes.reader],
    'put-endpoint': [offers.changes.changer, settings.videoProviders, ...asker],
    'update-endpoint': [offers.changes.changer, ...asker],
    'delete-endpoint': [offers.changes.changer, ...asker],

    'list-approvals': [approvals.lister],
    // It makes the change itself, in one transaction with the decision.
    'approve-change': [
      approvals.decider,
      keys.keeper,
      keys.creator,
      ...keyLives,
      guardrails.named,
      offers.changes.changer,
      settings.videoProviders,
    ],
    'refuse-change': [approvals.decider],

    'get-workspace-webhook': [workspaces.reader, webhooks.settings.reader],
    'put-workspace-webhook': [workspaces.reader, webhooks.settings.changer, settings.privateHosts],
    'delete-workspace-webhook': [workspaces.reader, webhooks.settings.changer],
    'rotate-webhook-secret': [
      workspaces.reader,
      webhooks.settings.reader,
      webhooks.settings.changer,
      webhooks.signingKey.deriver,
    ],
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

    'get-workspace-broadcast': [workspaces.reader, broadcast.reader],
    'put-workspace-broadcast': [
      workspaces.reader,
      broadcast.changer,
      providerKeys.sealer,
      settings.privateHosts,
    ],
    'delete-workspace-broadcast': [workspaces.reader, broadcast.remover],
    'test-workspace-broadcast': [
      workspaces.reader,
      broadcast.reader,
      providerKeys.traceOpener,
      settings.privateHosts,
    ],
    'list-destinations': [workspaces.reader, broadcast.reader],
    'create-destination': [workspaces.reader, broadcast.changer, providerKeys.sealer, settings.privateHosts],
    'get-destination': [broadcast.reader],
    'update-destination': [broadcast.changer, providerKeys.sealer, settings.privateHosts],
    'delete-destination': [broadcast.reader, broadcast.remover],
    // The bundles of these contain what they serve.
    'get-openapi-json': [],
    'get-openapi-yaml': [],
    'get-docs': [],
    'get-docs-asset': [],
  };
}
