import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Edge } from './edge.ts';
import { Files } from './files.ts';
import { KeyRoutes } from './keys.ts';
import { KeysTable } from './keys-table.ts';
import { LargeUploads } from './large-uploads.ts';
import { Buckets, Replays } from './limits.ts';
import { AccountsTable, MoneyRoutes } from './money.ts';
import { Observability } from './observability.ts';
import { ProviderKeys } from './provider-keys.ts';
import { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Videos } from './videos.ts';
import { WebhookRoutes } from './webhook-routes.ts';
import { Webhooks } from './webhooks.ts';
import { WorkspaceRemoval } from './workspace-removal.ts';
import { Workspaces } from './workspaces.ts';

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
    this.#tag({ service: 'genway', stage: config.name });
    const keys = new KeysTable(this, 'Keys', config);
    const accounts = new AccountsTable(this, 'Accounts', config);
    const replays = new Replays(this, 'Replays', config);
    const buckets = new Buckets(this, 'Buckets', config);
    const api = new RestApi(this, 'RestApi', { config, keys, buckets });
    const workspaces = new Workspaces(this, 'Workspaces', { config, api, keys, accounts, replays });
    const providerKeys = new ProviderKeys(this, 'ProviderKeys', {
      config,
      api,
      workspaces: workspaces.table,
    });
    const files = new Files(this, 'Files', { config, api, keys, workspaces: workspaces.table, providerKeys });
    const webhooks = new Webhooks(this, 'Webhooks', { config });
    new WebhookRoutes(this, 'WebhookRoutes', { config, api, webhooks, workspaces: workspaces.table });
    const videos = new Videos(this, 'Videos', {
      config,
      api,
      webhooks,
      files,
      accounts,
      replays,
      providerKeys,
      workspaces: workspaces.table,
    });
    const { results } = videos;
    new WorkspaceRemoval(this, 'WorkspaceRemoval', {
      config,
      workspaces,
      providerKeys,
      webhooks,
      files,
      results,
    });
    new KeyRoutes(this, 'KeyRoutes', { api, keys, accounts, workspaces: workspaces.table });
    new MoneyRoutes(this, 'MoneyRoutes', { api, accounts, replays, workspaces: workspaces.table });

    const largeUploads =
      config.largeUploads === 'fargate'
        ? new LargeUploads(this, 'LargeUploads', { config, api, files })
        : undefined;
    const edge = config.edge === 'cloudfront' ? new Edge(this, 'Edge', { api, largeUploads }) : undefined;

    new Observability(this, 'Observability', {
      config,
      api: api.api,
      queues: { jobs: videos.queue, events: webhooks.queue },
    });

    new CfnOutput(this, 'ApiUrl', { value: edge?.url ?? `${api.api.url}v1` });
    new CfnOutput(this, 'ApiId', { value: api.api.restApiId });
    new CfnOutput(this, 'KeysTable', { value: keys.tableName });
    new CfnOutput(this, 'AccountsTable', { value: accounts.tableName });
    new CfnOutput(this, 'JobsTable', { value: videos.jobs.tableName });
    new CfnOutput(this, 'EventsTable', { value: webhooks.events.tableName });
    new CfnOutput(this, 'WorkspacesTable', { value: workspaces.table.tableName });
    new CfnOutput(this, 'UploadEnvironment', {
      description: 'What an upload server beside this stack needs to know, as JSON',
      value: this.toJsonString({ ...api.gateEnvironment('upload-file'), ...files.uploadEnvironment }),
    });
  }

  #tag(tags: Readonly<Record<string, string>>): void {
    // CloudFront refuses to change the tags of a VPC origin that is in use.
    const excludeResourceTypes = ['AWS::CloudFront::VpcOrigin'];
    for (const [name, value] of Object.entries(tags))
      Tags.of(this).add(name, value, { excludeResourceTypes });
  }
}
