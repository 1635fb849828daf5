import { CfnOutput, Fn, NestedStack, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { RestApi } from './api/rest-api.ts';
import { Console } from './console/console.ts';
import { type Downloads, downloadsKeyOf, downloadsOf } from './edge/downloads.ts';
import { Edge, type EdgeProps } from './edge/edge.ts';
import { plantOf, workersOf } from './inventory.ts';
import { GradualDeployments } from './monitoring/gradual-deployments.ts';
import { Observability } from './monitoring/observability.ts';
import { Canary } from './programs/canary.ts';
import { DeploymentValues, Emptying } from './programs/deployment.ts';
import { entrance } from './programs/entrance.ts';
import { ProviderKeyOpener } from './programs/provider-key-opener.ts';
import { type Settings, tellableSettings } from './programs/settings.ts';
import { addWorkers } from './programs/workers.ts';
import { type Parts, rightsOf } from './rights.ts';
import type { StageConfig } from './stage/config.ts';
import {
  AccountsTable,
  AuditTable,
  BucketsTable,
  GuardrailsTable,
  KeysTable,
  ListsTable,
  ReplaysTable,
  WorkspacesTable,
} from './stores/callers.ts';
import { Files } from './stores/files.ts';
import { Generations } from './stores/generations.ts';
import { Offers } from './stores/offers.ts';
import { ProviderKeys } from './stores/provider-keys.ts';
import { Videos } from './stores/videos.ts';
import { BroadcastTable, Webhooks } from './stores/webhooks.ts';
import { LargeUploads } from './upload-server/large-uploads.ts';

/** Whatever a stage keeps: its tables, buckets, queues and keys. */
const storesOf = (stack: Stack, config: StageConfig) => ({
  keys: new KeysTable(stack, 'Keys', config),
  accounts: new AccountsTable(stack, 'Accounts', config),
  lists: new ListsTable(stack, 'Lists', config),
  replays: new ReplaysTable(stack, 'Replays', config),
  buckets: new BucketsTable(stack, 'Buckets', config),
  audit: new AuditTable(stack, 'Audit', config),
  workspaces: new WorkspacesTable(stack, 'Workspaces', config),
  guardrails: new GuardrailsTable(stack, 'Guardrails', config),
  providerKeys: new ProviderKeys(stack, 'ProviderKeys', config),
  // With another id its tables would be replaced.
  offers: new Offers(stack, 'Routing', config),
  files: new Files(stack, 'Files', config),
  broadcast: new BroadcastTable(stack, 'Broadcast', config),
  webhooks: new Webhooks(stack, 'Webhooks', config),
  videos: new Videos(stack, 'Videos', config),
  generations: new Generations(stack, 'Generations', config),
});
export type Stores = ReturnType<typeof storesOf>;

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
    const settings = tellableSettings(config);
    const stores = storesOf(this, config);
    addWorkers(this, { config, settings, ...stores });
    const { values, downloads } = this.#derive(config, settings, stores);
    const console = this.#console(config, settings, stores, downloads);
    const keyOpener = new ProviderKeyOpener(this, 'ProviderKeyOpener', { config, ...stores });
    const parts = { config, settings, ...stores, values, downloads, keyOpener };
    const rights = rightsOf(parts);
    const api = new RestApi(this, 'RestApi', { config, rights, fallbackRights: entrance(parts) });
    const uploader = rights['upload-file'];
    const largeUploads =
      config.largeUploads === 'fargate'
        ? new LargeUploads(this, 'LargeUploads', { config, uploader })
        : undefined;
    const edge =
      config.edge === 'cloudfront'
        ? this.#edge({ config, api, largeUploads, console, secret: values.edgeSecret })
        : undefined;

    this.#callAsCallersDo(parts, edge);
    this.#watch(config, api);
    this.#tell(parts, api, edge);
    new CfnOutput(this, 'UploadEnvironment', {
      description: 'What an upload server beside this stack needs to know, as JSON',
      value: this.toJsonString(uploader.environment),
    });
  }

  /** What follows from the stage's keys: secrets, and how callers get files and videos. */
  #derive(config: StageConfig, settings: Settings, { webhooks, files, videos }: Stores) {
    const key = downloadsKeyOf(this, config);
    const { signingKey } = webhooks;
    const values = new DeploymentValues(this, 'Deployment', {
      config,
      settings,
      signingKey,
      downloadsKey: key,
    });
    return { values, downloads: downloadsOf(this, { config, files, videos, values, key }) };
  }

  /** A stage that is deleted with its data empties its buckets first, the console's too. */
  #console(config: StageConfig, settings: Settings, { files, videos }: Stores, { origins }: Downloads) {
    const console =
      config.console && config.edge === 'cloudfront'
        ? new Console(this, 'Console', { config, settings, storage: origins })
        : undefined;
    if (config.data === 'destroy') {
      const buckets = [files.objects, videos.results, ...(console === undefined ? [] : [console.bucket])];
      new Emptying(this, 'Emptying', { config, settings, buckets });
    }
    return console;
  }

  /** Otherwise CDK looks up zones during synthesis and writes them into the checkout. Our network names its own zones. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }

  /** In a nested stack, to save the stack's 500 resources for the rest. */
  #watch(config: StageConfig, api: RestApi): void {
    const description = `Alarms and saved questions of ${this.stackName}`;
    const watch = new NestedStack(this, 'Watch', { description });
    // The emulator has no CodeDeploy: there an alias points to its new version at once.
    if (config.deployments === 'canary' && config.platform === 'aws') {
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
    { config, keys, accounts, lists, workspaces, guardrails, providerKeys, webhooks, videos, offers }: Parts,
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
      EndpointsTable: offers.changes.tableName,
      JobsTable: videos.jobs.tableName,
      EventsTable: webhooks.events.tableName,
      WorkspacesTable: workspaces.tableName,
      GuardrailsTable: guardrails.tableName,
      ProviderKeysTable: providerKeys.rows.tableName,
      ProviderKeysKey: providerKeys.kmsKeyId,
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
