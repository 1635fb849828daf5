import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NestedStack, Stack, Stage, Tags } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct, type IConstruct } from 'constructs';
import manifest from '../package.json' with { type: 'json' };
import { RestApi } from './api/rest-api.ts';
import { ROOT } from './bundling/folders.ts';
import { Console } from './console/console.ts';
import { Clock } from './constructs/clock.ts';
import { type Capability, combine, LogGroups } from './constructs/program.ts';
import { stackOutput } from './constructs/stack-output.ts';
import { type Downloads, downloadsKeyOf, downloadsOf } from './edge/downloads.ts';
import { Edge } from './edge/edge.ts';
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
import { type GenwaySettings, readSettings, WrongSettings } from './stage/read-settings.ts';
import type { StageConfig } from './stage/schema.ts';
import { type Stores, storesOf } from './stores/stores.ts';
import { LargeUploads } from './upload-server/large-uploads.ts';

export interface GenwayProps {
  /**
   * The name of this deployment: lower case, at most 20 characters. Dashboards and metrics carry it, so two deployments
   * in one region need two names.
   */
  readonly name: string;
  /** @default the default of each setting; docs/configuration.md lists them */
  readonly settings?: GenwaySettings;
}

/** What the edge leads to. */
interface Entrances {
  readonly api: RestApi;
  readonly uploader: Capability;
  readonly console: Console | undefined;
}

/**
 * One deployment of Genway. All its parts are in the stack around it, because they are useless without each other and
 * because references between stacks block changes of both. The setting `data` decides which data outlives the stack.
 */
export class Genway extends Construct {
  /** The address that callers use, which ends in `/api/v1`. */
  readonly url: string;
  /** One row for each video job. */
  readonly jobsTable: TableV2;
  /** The same topic as `pageTopic`, for those who want one. */
  readonly alarmTopic: ITopic;
  /** Gets urgent alarms: callers notice the problem now, or data is at risk. */
  readonly pageTopic: ITopic;
  /** Gets alarms for working hours. */
  readonly ticketTopic: ITopic;
  /** Of this deployment. */
  readonly name: string;
  readonly #managed: readonly TableV2[];

  /** It reads better whole: the parts, in the order in which they need each other. Throws an error that names each wrong setting. */
  constructor(scope: Construct, id: string, { name, settings = {} }: GenwayProps) {
    super(scope, id);
    this.name = name;
    const config = settingsOf(name, settings);
    checkAlone(this, name);
    this.#tag({ ...config.tags, service: 'genway', stage: config.name });
    const { permissionsBoundaryArn: limit } = config.own;
    if (limit !== undefined)
      PermissionsBoundary.of(this).apply(ManagedPolicy.fromManagedPolicyArn(this, 'Limit', limit));
    new LogGroups(this);
    new Clock(this);
    const tellable = tellableSettings(config);
    const stores = storesOf(this, config);
    addWorkers(this, { config, settings: tellable, ...stores });
    const { values, downloads } = this.#derive(config, tellable, stores);
    const console = this.#console(config, tellable, stores, downloads);
    const keyOpener = new ProviderKeyOpener(this, 'ProviderKeyOpener', { config, ...stores });
    const parts = { config, settings: tellable, ...stores, values, downloads, keyOpener };
    const rights = rightsOf(parts);
    const api = new RestApi(this, 'RestApi', { config, rights, fallbackRights: entrance(parts) });
    const uploader = combine(rights['upload-file'], rights['add-upload-part']);
    const edge = this.#edge(parts, { api, uploader, console });

    this.url = edge?.url ?? `${api.api.url}v1`;
    this.jobsTable = stores.videos.jobs;
    this.#managed = managedOf(stores);
    this.#callAsCallersDo(parts, edge);
    const { topics } = this.#watch(config, api).alarms;
    this.pageTopic = topics.page;
    this.alarmTopic = topics.page;
    this.ticketTopic = topics.ticket;
    this.#tell(parts, api);
    this.#tellWork(config, uploader);
  }

  /** Grants what `genway admin` needs to manage keys, credits and endpoints, and no access to what callers store. */
  grantManagement(grantee: IGrantable): void {
    for (const table of this.#managed) table.grantReadWriteData(grantee);
    const { stackId } = Stack.of(this);
    Grant.addToPrincipal({ grantee, actions: ['cloudformation:DescribeStacks'], resourceArns: [stackId] });
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

  /** In a nested stack, to save the stack's 500 resources for the rest. */
  #watch(config: StageConfig, api: RestApi): Observability {
    const description = `Alarms and saved queries of ${Stack.of(this).stackName}`;
    const watch = new NestedStack(this, 'Watch', { description });
    // The emulator has no CodeDeploy: there an alias points to its new version at once.
    if (config.deployments === 'canary' && config.platform === 'aws') {
      new GradualDeployments(this, 'Gradual', { config, stage: this, api: api.name, watch });
    }
    return new Observability(this, 'Observability', {
      config,
      plant: plantOf(this, config, api.name),
      watch,
    });
  }

  #callAsCallersDo({ config, settings, values }: Parts, edge: Edge | undefined): void {
    const target = edge?.url ?? (config.domain && `https://${config.domain.name}/api/v1`);
    if (!config.canary || target === undefined) return;
    const { keySecret } = new Canary(this, 'Canary', { config, settings, values, target });
    stackOutput(this, 'CanaryKey', keySecret, 'The secret with the key of the canary');
  }

  /** Uploads that are too large for a function come in through the edge alone. */
  #edge({ config, values }: Parts, { api, uploader, console }: Entrances): Edge | undefined {
    const largeUploads =
      config.largeUploads === 'fargate'
        ? new LargeUploads(this, 'LargeUploads', { config, uploader })
        : undefined;
    if (config.edge === 'none') return undefined;
    const edge = new Edge(this, 'Edge', { config, api, largeUploads, console, secret: values.edgeSecret });
    if (console !== undefined) stackOutput(this, 'ConsoleUrl', edge.consoleUrl);
    stackOutput(
      this,
      'EdgeDomain',
      edge.domainName,
      'Target of the CNAME or alias record of the domain that callers use',
    );
    return edge;
  }

  /** The addresses and names that tools read from the deployed stack: a list, which reads better whole. */
  #tell(
    { keys, accounts, lists, workspaces, guardrails, providerKeys, webhooks, videos, offers }: Parts,
    { api }: RestApi,
  ): void {
    const outputs = {
      Version: manifest.version,
      ApiUrl: this.url,
      BackUrl: `${api.url}v1`,
      ApiId: api.restApiId,
      KeysTable: keys.tableName,
      ListsTable: lists.tableName,
      AccountsTable: accounts.tableName,
      EndpointsTable: offers.changes.tableName,
      FiguresTable: offers.figures.tableName,
      JobsTable: videos.jobs.tableName,
      EventsTable: webhooks.events.tableName,
      WorkspacesTable: workspaces.tableName,
      GuardrailsTable: guardrails.tableName,
      ProviderKeysTable: providerKeys.rows.tableName,
      ProviderKeysKey: providerKeys.kmsKeyId,
    };
    for (const [name, value] of Object.entries(outputs)) stackOutput(this, name, value);
  }

  /** What an operator turns off, and what a server beside the stack needs. */
  #tellWork(config: StageConfig, uploader: Capability): void {
    const stack = Stack.of(this);
    const { feeds, schedules } = workersOf(this);
    stackOutput(
      this,
      'Feeds',
      stack.toJsonString(feeds),
      'The event source mappings of the workers, as JSON',
    );
    stackOutput(this, 'Schedules', stack.toJsonString(schedules), 'The schedules of the workers, as JSON');
    stackOutput(
      this,
      'VideoProviders',
      JSON.stringify(config.videos.providers),
      'The video providers of the stage and their settings, as JSON',
    );
    stackOutput(
      this,
      'UploadEnvironment',
      stack.toJsonString(uploader.environment),
      'The environment variables of an upload server outside this stack, as JSON',
    );
  }

  #tag(tags: Readonly<Record<string, string>>): void {
    // CloudFront refuses to change the tags of a VPC origin in use.
    const excludeResourceTypes = ['AWS::CloudFront::VpcOrigin'];
    for (const [name, value] of Object.entries(tags))
      Tags.of(this).add(name, value, { excludeResourceTypes });
  }
}

/** What is wrong is told with the deployer's own line, which Node.js shows, and without any of ours. */
function settingsOf(name: string, settings: GenwaySettings): StageConfig {
  try {
    const config = readSettings(name, settings);
    if (config.videos.models.length > 0 && !existsSync(join(ROOT, 'functions'))) {
      const instead = 'add models with PUT /api/v1/endpoints/{provider}/{name}, or deploy from a checkout';
      throw new WrongSettings(
        `videos.models: cannot be set, because the functions of this package are already built; ${instead}`,
      );
    }
    return config;
  } catch (error) {
    throw error instanceof WrongSettings ? toldAtTheirs(error) : error;
  }
}

/** The tables that hold what the deployer manages. */
const managedOf = ({ keys, accounts, lists, workspaces, guardrails, offers }: Stores): readonly TableV2[] => [
  keys,
  accounts,
  lists,
  workspaces,
  guardrails,
  offers.changes,
];

/**
 * The names of outputs, log groups and nested stacks are those of the stack; those of dashboards and metrics are of the
 * deployment, and only AWS would tell that two have the same.
 */
function checkAlone(genway: Genway, name: string): void {
  const stack = Stack.of(genway);
  const isOther = (one: IConstruct) => one instanceof Genway && one !== genway;
  if (stack.node.findAll().some(isOther))
    throw toldAtTheirs(new Error('A stack can contain only one Genway; put the second one in its own stack'));
  const others = (Stage.of(genway) ?? stack).node.findAll().filter(isOther);
  const sameName = others.find(
    (one) => one instanceof Genway && one.name === name && Stack.of(one).environment === stack.environment,
  );
  if (sameName !== undefined) {
    const where = Stack.of(sameName).node.path;
    throw toldAtTheirs(
      new Error(`The stack ${where} already has a Genway "${name}": give this one another name`),
    );
  }
}

/** With the deployer's own line, which Node.js shows, and without any of ours. */
function toldAtTheirs(error: Error): Error {
  Error.captureStackTrace(error, Genway);
  return error;
}
