import { CfnOutput, Fn, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../functions/http/routes.ts';
import { Console } from './console.ts';
import { combine } from './constructs/capability.ts';
import { DeploymentValues } from './deployment-values.ts';
import { descriptionEndpoints } from './description-endpoints.ts';
import { Edge, type EdgeProps } from './edge.ts';
import { Emptying } from './emptying.ts';
import type { Endpoints } from './endpoints.ts';
import { Files, fileEndpoints, uploader } from './files.ts';
import { AuditTable, BucketsTable, entrance, Gate, ReplaysTable } from './gate.ts';
import { KeysTable, keyEndpoints } from './keys.ts';
import { LargeUploads } from './large-uploads.ts';
import { AccountsTable, moneyEndpoints } from './money.ts';
import { plantOf } from './monitoring/plant.ts';
import { Observability } from './observability.ts';
import { ProviderKeys, providerKeyEndpoints } from './provider-keys.ts';
import { Reconciler } from './reconciler.ts';
import { RestApi } from './rest-api.ts';
import { tellableSettings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import { videoEndpoints } from './video-endpoints.ts';
import { Videos } from './videos.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { Webhooks } from './webhooks.ts';
import { WorkspaceSweeper } from './workspace-removal.ts';
import { WorkspacesTable, workspaceEndpoints } from './workspaces.ts';

export interface GenwayStackProps extends StackProps {
  readonly config: StageConfig;
}

/**
 * One deployment of Genway. One stack, because its parts are of no use without each other and because
 * references between stacks lock both against change; what must outlive it is retained by the stage's
 * `data` setting.
 */
export class GenwayStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: GenwayStackProps) {
    super(scope, id, props);
    this.#tag({ ...config.tags, service: 'genway', stage: config.name });
    const parts = this.#parts(config);
    const { keys, accounts, workspaces, gate, webhooks, videos, values } = parts;
    const endpoints: Endpoints = {
      ...keyEndpoints(parts),
      ...workspaceEndpoints(parts),
      ...moneyEndpoints(parts),
      ...providerKeyEndpoints(parts),
      ...fileEndpoints(parts),
      ...videoEndpoints(parts),
      ...webhookEndpoints(parts),
      ...descriptionEndpoints(),
    };
    const api = new RestApi(this, 'RestApi', { config, gate, endpoints });
    const serverUploads = combine(gate.before(routes['upload-file']), uploader(parts));
    const largeUploads =
      config.largeUploads === 'fargate'
        ? new LargeUploads(this, 'LargeUploads', { config, uploader: serverUploads })
        : undefined;
    const edge =
      config.edge === 'cloudfront'
        ? this.#edge({ config, api, largeUploads, console: parts.console, secret: values.edgeSecret })
        : undefined;

    new Observability(this, 'Observability', {
      config,
      plant: plantOf(this, config, api.name),
    });

    new CfnOutput(this, 'ApiUrl', { value: edge?.url ?? `${api.api.url}v1` });
    new CfnOutput(this, 'ApiId', { value: api.api.restApiId });
    new CfnOutput(this, 'KeysTable', { value: keys.tableName });
    new CfnOutput(this, 'AccountsTable', { value: accounts.tableName });
    new CfnOutput(this, 'JobsTable', { value: videos.jobs.tableName });
    new CfnOutput(this, 'EventsTable', { value: webhooks.events.tableName });
    new CfnOutput(this, 'WorkspacesTable', { value: workspaces.tableName });
    new CfnOutput(this, 'UploadEnvironment', {
      description: 'What an upload server beside this stack needs to know, as JSON',
      value: this.toJsonString(serverUploads.environment),
    });
  }

  /** Else CDK would look them up as it synthesizes, and write them into the checkout; the network names its own. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
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

  /** What holds something or works by itself; the endpoints come after, as each may need any of these. */
  #parts(config: StageConfig) {
    const settings = tellableSettings(config);
    const keys = new KeysTable(this, 'Keys', config);
    const accounts = new AccountsTable(this, 'Accounts', config);
    const replays = new ReplaysTable(this, 'Replays', config);
    const buckets = new BucketsTable(this, 'Buckets', config);
    const audit = new AuditTable(this, 'Audit', config);
    const workspaces = new WorkspacesTable(this, 'Workspaces', config);
    const providerKeys = new ProviderKeys(this, 'ProviderKeys', config);
    const files = new Files(this, 'Files', config);
    const webhooks = new Webhooks(this, 'Webhooks', { config, settings });
    const stores = { config, settings, keys, accounts, replays, workspaces, providerKeys, files, webhooks };
    const videos = new Videos(this, 'Videos', stores);
    new WorkspaceSweeper(this, 'WorkspaceSweeper', { ...stores, videos });
    new Reconciler(this, 'Reconciler', { ...stores, videos });
    const storage = [files.objects, videos.results];
    const console =
      config.console && config.edge === 'cloudfront'
        ? new Console(this, 'Console', { config, settings, storage })
        : undefined;
    if (config.data === 'destroy') {
      const buckets = console === undefined ? storage : [...storage, console.bucket];
      new Emptying(this, 'Emptying', { config, settings, buckets });
    }
    const { signingKey } = webhooks;
    const values = new DeploymentValues(this, 'Deployment', { config, settings, signingKey });
    const gate = new Gate({ config, keys, buckets, audit, entrance: entrance(config, values) });
    return { ...stores, videos, console, values, gate, audit };
  }

  #tag(tags: Readonly<Record<string, string>>): void {
    // CloudFront refuses to change the tags of a VPC origin that is in use.
    const excludeResourceTypes = ['AWS::CloudFront::VpcOrigin'];
    for (const [name, value] of Object.entries(tags))
      Tags.of(this).add(name, value, { excludeResourceTypes });
  }
}
