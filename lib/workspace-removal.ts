import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Bucket } from './bucket.ts';
import type { Files } from './files.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';
import { Sweeper } from './sweeper.ts';
import type { Webhooks } from './webhooks.ts';
import type { Workspaces } from './workspaces.ts';

export interface WorkspaceRemovalProps {
  readonly config: StageConfig;
  readonly workspaces: Workspaces;
  readonly providerKeys: ProviderKeys;
  readonly webhooks: Webhooks;
  readonly files: Files;
  /** Of videos, and of their inputs. */
  readonly results: Bucket;
}

/** What goes with a deleted workspace: its settings at once, what it stored soon after. */
export class WorkspaceRemoval extends Construct {
  constructor(scope: Construct, id: string, props: WorkspaceRemovalProps) {
    super(scope, id);
    const { config, workspaces, providerKeys, webhooks, files, results } = props;
    const sweeper = new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-workspaces',
      environment: {
        WORKSPACES_TABLE: workspaces.table.tableName,
        FILES_TABLE: files.table.tableName,
        FILES_BUCKET: files.bucket.bucketName,
        RESULTS_BUCKET: results.bucketName,
      },
    });
    workspaces.table.grant(sweeper, 'dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
    files.table.grant(sweeper, 'dynamodb:Query', 'dynamodb:BatchWriteItem');
    for (const bucket of [files.bucket, results]) {
      bucket.grantDelete(sweeper);
      sweeper.addToRolePolicy(
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      );
    }
    for (const remover of [workspaces.removal, sweeper]) {
      providerKeys.grantRemoval(remover);
      remover.addEnvironment('WEBHOOK_SETTINGS_TABLE', webhooks.settings.tableName);
      webhooks.settings.grant(remover, 'dynamodb:UpdateItem');
    }
  }
}
