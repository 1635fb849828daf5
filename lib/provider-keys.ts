import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { FILE_PROVIDERS } from '../functions/files/providers/file-provider.ts';
import { PROVIDER_KEYS_BY_WORKSPACE } from '../functions/provider-keys/table.ts';
import { takesKeys } from '../functions/videos/providers/provider-settings.ts';
import { providerNames } from '../functions/videos/providers/registry.ts';
import type { GenwayFunction } from './genway-function.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

export interface ProviderKeysProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly workspaces: Table;
}

/** The callers' own keys for providers: encrypted, and in clear only in the functions that call a provider. */
export class ProviderKeys extends Construct {
  readonly #table: Table;
  readonly #kmsKey: Key;
  /** What a function that may use the keys needs to know. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { config, api, workspaces }: ProviderKeysProps) {
    super(scope, id);
    this.#table = new Table(this, 'Table', {
      config,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    this.#table.addGlobalSecondaryIndex({
      indexName: PROVIDER_KEYS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
    });
    this.#kmsKey = new Key(this, 'Key', {
      description: 'Encrypts the provider keys that Genway keeps for its workspaces',
      enableKeyRotation: true,
      removalPolicy: config.data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const PROVIDER_KEYS_TABLE = this.#table.tableName;
    this.environment = { PROVIDER_KEYS_TABLE, PROVIDER_KEYS_KMS_KEY: this.#kmsKey.keyId };

    const create = api.serve('create-provider-key', {
      environment: {
        ...this.environment,
        WORKSPACES_TABLE: workspaces.tableName,
        PROVIDERS: [...FILE_PROVIDERS, ...providerNames().filter(takesKeys)].join(),
      },
    });
    workspaces.grant(create, 'dynamodb:GetItem');
    const environment = { PROVIDER_KEYS_TABLE };
    this.#table.grant(create, 'dynamodb:PutItem');
    this.#table.grant(api.serve('list-provider-keys', { environment }), 'dynamodb:Query');
    this.#table.grant(api.serve('get-provider-key', { environment }), 'dynamodb:GetItem');
    const update = api.serve('update-provider-key', { environment: this.environment });
    this.#table.grant(update, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    for (const handler of [create, update]) this.#kmsKey.grant(handler, 'kms:Encrypt');
    this.#table.grant(api.serve('delete-provider-key', { environment }), 'dynamodb:DeleteItem');
  }

  /** Lets a function that deletes workspaces delete their provider keys too. */
  grantRemoval(handler: GenwayFunction): void {
    handler.addEnvironment('PROVIDER_KEYS_TABLE', this.#table.tableName);
    this.#table.grant(handler, 'dynamodb:Query', 'dynamodb:DeleteItem');
  }

  /** Lets a program read the keys in clear: only those that call a provider with them. */
  grantUse(grantee: IGrantable): void {
    this.#table.grant(grantee, 'dynamodb:Query');
    this.#kmsKey.grant(grantee, 'kms:Decrypt');
  }
}
