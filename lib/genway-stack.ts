import { CfnOutput, Fn, NestedStack, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../functions/endpoints/definitions.ts';
import type { Endpoints } from './api/definition.ts';
import { RestApi } from './api/rest-api.ts';
import { Canary } from './areas/canary.ts';
import { DeploymentValues, Emptying } from './areas/deployment.ts';
import { Files, fileEndpoints, uploader } from './areas/files.ts';
import { AuditTable, BucketsTable, entrance, Gate, ReplaysTable } from './areas/gate.ts';
import { Generations, generationEndpoints } from './areas/generations.ts';
import { GuardrailsTable, guardrailEndpoints } from './areas/guardrails.ts';
import { Reconciler, WorkspaceSweeper } from './areas/housekeeping.ts';
import { KeysTable, keyEndpoints } from './areas/keys.ts';
import { ListsTable } from './areas/lists.ts';
import { AccountsTable, moneyEndpoints } from './areas/money.ts';
import { Routing, routingEndpoints } from './areas/offers.ts';
import { ProviderKeyOpener, ProviderKeys, providerKeyEndpoints } from './areas/provider-keys.ts';
import { tellableSettings } from './areas/settings.ts';
import { Videos } from './areas/videos.ts';
import { BroadcastTable, broadcastEndpoints, Webhooks } from './areas/webhooks.ts';
import { WorkspacesTable, workspaceEndpoints } from './areas/workspaces.ts';
import { Console } from './console/console.ts';
import { combine } from './constructs/program.ts';
import { downloadsKeyOf, downloadsOf } from './edge/downloads.ts';
import { Edge, type EdgeProps } from './edge/edge.ts';
import { plantOf, workersOf } from './inventory.ts';
import { GradualDeployments } from './monitoring/gradual-deployments.ts';
import { Observability } from './monitoring/observability.ts';
import { descriptionEndpoints, videoEndpoints, webhookEndpoints } from './rights.ts';
import type { StageConfig } from './stage/config.ts';
import { LargeUploads } from './upload-server/large-uploads.ts';

/** Everything except the endpoints, which come later because each may need any of these parts. */
function partsOf(stack: Stack, config: StageConfig) {
  const settings = tellableSettings(config);
  const keys = new KeysTable(stack, 'Keys', config);
  const accounts = new AccountsTable(stack, 'Accounts', config);
  const lists = new ListsTable(stack, 'Lists', config);
  const replays = new ReplaysTable(stack, 'Replays', config);
  const buckets = new BucketsTable(stack, 'Buckets', config);
  const audit = new AuditTable(stack, 'Audit', config);
  const workspaces = new WorkspacesTable(stack, 'Workspaces', config);
  const guardrails = new GuardrailsTable(stack, 'Guardrails', config);
  const providerKeys = new ProviderKeys(stack, 'ProviderKeys', config);
  const routing = new Routing(stack, 'Routing', { config, settings });
  const files = new Files(stack, 'Files', config);
  const broadcast = new BroadcastTable(stack, 'Broadcast', config);
  const tables = { keys, accounts, lists, replays, workspaces, guardrails, broadcast };
  const webhooks = new Webhooks(stack, 'Webhooks', { config, settings, ...tables, providerKeys });
  const stores = { config, settings, ...tables, providerKeys, routing, files, webhooks };
  const videos = new Videos(stack, 'Videos', stores);
  const generations = new Generations(stack, 'Generations', { ...stores, videos });
  new WorkspaceSweeper(stack, 'WorkspaceSweeper', { ...stores, videos, generations });
  new Reconciler(stack, 'Reconciler', { ...stores, videos });
  const storage = [files.objects, videos.results];
  const { signingKey } = webhooks;
  const downloadsKey = downloadsKeyOf(stack, config);
  const values = new DeploymentValues(stack, 'Deployment', { config, settings, signingKey, downloadsKey });
  const downloads = downloadsOf(stack, { config, files, videos, values, key: downloadsKey });
  const console =
    config.console && config.edge === 'cloudfront'
      ? new Console(stack, 'Console', { config, settings, storage: downloads.origins })
      : undefined;
  if (config.data === 'destroy') {
    const emptied = console === undefined ? storage : [...storage, console.bucket];
    new Emptying(stack, 'Emptying', { config, settings, buckets: emptied });
  }
  const keyOpener = new ProviderKeyOpener(stack, 'ProviderKeyOpener', stores);
  const gate = new Gate({ config, keys, buckets, audit, entrance: entrance(config, values) });
  return { ...stores, videos, generations, downloads, keyOpener, console, values, gate, audit };
}

type Parts = ReturnType<typeof partsOf>;

/** Every endpoint, with the rights that it needs. */
const endpointsOf = (parts: Parts): Endpoints => ({
  ...keyEndpoints(parts),
  ...workspaceEndpoints(parts),
  ...guardrailEndpoints(parts),
  ...moneyEndpoints(parts),
  ...providerKeyEndpoints(parts),
  ...fileEndpoints(parts),
  ...videoEndpoints(parts),
  ...routingEndpoints(parts),
  ...generationEndpoints(parts),
  ...webhookEndpoints(parts),
  ...broadcastEndpoints(parts),
  ...descriptionEndpoints(),
});

interface GenwayStackProps extends StackProps {
  readonly config: StageConfig;
}

/**
 * One deployment of Genway. It is one stack, because its parts are useless without each other and because references
 * between stacks block changes of both. The stage's setting `data` decides which data outlives the stack.
 */
export class GenwayStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: GenwayStackProps) {
    super(scope, id, props);
    this.#tag({ ...config.tags, service: 'genway', stage: config.name });
    const parts = partsOf(this, config);
    const { gate, values } = parts;
    const api = new RestApi(this, 'RestApi', { config, gate, endpoints: endpointsOf(parts) });
    const serverUploads = combine(gate.before(routes['upload-file']), uploader(parts));
    const largeUploads =
      config.largeUploads === 'fargate'
        ? new LargeUploads(this, 'LargeUploads', { config, uploader: serverUploads })
        : undefined;
    const edge =
      config.edge === 'cloudfront'
        ? this.#edge({ config, api, largeUploads, console: parts.console, secret: values.edgeSecret })
        : undefined;

    this.#callAsCallersDo(parts, edge);
    this.#watch(config, api);
    this.#tell(parts, api, edge);
    new CfnOutput(this, 'UploadEnvironment', {
      description: 'What an upload server beside this stack needs to know, as JSON',
      value: this.toJsonString(serverUploads.environment),
    });
  }

  /** Otherwise CDK looks up zones during synthesis and writes them into the checkout. Our network names its own zones. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }

  /** In a nested stack, to save the stack's 500 resources for the rest. */
  #watch(config: StageConfig, api: RestApi): void {
    const description = `Alarms and saved questions of ${this.stackName}`;
    const watch = new NestedStack(this, 'Watch', { description });
    if (config.deployments === 'canary') {
      new GradualDeployments(this, 'Gradual', { config, stage: this, api: api.name, watch });
    }
    new Observability(this, 'Observability', { config, plant: plantOf(this, config, api.name), watch });
  }

  #callAsCallersDo({ config, settings, values }: Parts, edge: Edge | undefined): void {
    const target = edge?.url ?? (config.domain && `https://${config.domain.name}/api/v1`);
    if (!config.canary || target === undefined) return;
    const { keySecret } = new Canary(this, 'Canary', { config, settings, values, target });
    new CfnOutput(this, 'CanaryKey', { description: 'The secret that holds its key', value: keySecret });
  }

  #edge(props: EdgeProps): Edge {
    const edge = new Edge(this, 'Edge', props);
    if (props.console !== undefined) new CfnOutput(this, 'ConsoleUrl', { value: edge.consoleUrl });
    new CfnOutput(this, 'EdgeDomain', {
      description: 'Where the name that callers use must lead, by a CNAME or an alias',
      value: edge.domainName,
    });
    return edge;
  }

  /** The addresses and names that tools read from the deployed stack. */
  #tell(
    { config, keys, accounts, lists, workspaces, guardrails, webhooks, videos, routing }: Parts,
    { api }: RestApi,
    edge: Edge | undefined,
  ): void {
    const outputs = {
      ApiUrl: edge?.url ?? `${api.url}v1`,
      BackUrl: `${api.url}v1`,
      ApiId: api.restApiId,
      KeysTable: keys.tableName,
      ListsTable: lists.tableName,
      AccountsTable: accounts.tableName,
      EndpointsTable: routing.offers.tableName,
      JobsTable: videos.jobs.tableName,
      EventsTable: webhooks.events.tableName,
      WorkspacesTable: workspaces.tableName,
      GuardrailsTable: guardrails.tableName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    const { feeds, schedules } = workersOf(this);
    new CfnOutput(this, 'Feeds', {
      description: 'What hands the workers behind queues and streams their work, as JSON',
      value: this.toJsonString(feeds),
    });
    new CfnOutput(this, 'Schedules', {
      description: 'What calls the workers that run by the clock, as JSON',
      value: this.toJsonString(schedules),
    });
    new CfnOutput(this, 'VideoProviders', {
      description: 'Which video providers the stage offers, and how it reaches each, as JSON',
      value: JSON.stringify(config.videos.providers),
    });
  }

  #tag(tags: Readonly<Record<string, string>>): void {
    // CloudFront refuses to change the tags of a VPC origin in use.
    const excludeResourceTypes = ['AWS::CloudFront::VpcOrigin'];
    for (const [name, value] of Object.entries(tags))
      Tags.of(this).add(name, value, { excludeResourceTypes });
  }
}
