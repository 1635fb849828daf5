import { CfnOutput, Fn, NestedStack, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../functions/http/routes.ts';
import { Canary } from './canary.ts';
import { combine } from './constructs/capability.ts';
import { Edge, type EdgeProps } from './edge.ts';
import { uploader } from './files.ts';
import { GradualDeployments } from './gradual-deployments.ts';
import { LargeUploads } from './large-uploads.ts';
import { plantOf } from './monitoring/plant.ts';
import { Observability } from './observability.ts';
import { endpointsOf, type Parts, partsOf } from './parts.ts';
import { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { workersOf } from './workers.ts';

export interface GenwayStackProps extends StackProps {
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
      EndpointsTable: routing.endpoints.tableName,
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
