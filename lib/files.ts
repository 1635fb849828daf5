import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { Bucket } from './bucket.ts';
import type { KeysTable } from './keys-table.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

export interface FilesProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly keys: KeysTable;
  readonly workspaces: Table;
  /** For files that are to be at a provider, in the workspace's own account there. */
  readonly providerKeys: ProviderKeys;
}

/** Uploaded files: a row and an object each, and the endpoints over them. */
export class Files extends Construct {
  /** What a program needs to know to receive uploads, be it a function or a server. */
  readonly uploadEnvironment: Readonly<Record<string, string>>;
  readonly table: Table;
  readonly bucket: Bucket;
  readonly #keys: KeysTable;
  readonly #workspaces: Table;
  readonly #providerKeys: ProviderKeys;

  constructor(scope: Construct, id: string, { config, api, keys, workspaces, providerKeys }: FilesProps) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      config,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });
    const bucket = new Bucket(this, 'Bucket', { config });
    this.table = table;
    this.bucket = bucket;
    this.#keys = keys;
    this.#workspaces = workspaces;
    this.#providerKeys = providerKeys;
    const rows = {
      FILES_TABLE: table.tableName,
      WORKSPACES_TABLE: workspaces.tableName,
      WIRE_NAMES: config.wireNames,
      PRIVATE_HOSTS: config.allowedPrivateHosts.join(','),
      PROVIDER_BASE_URLS: JSON.stringify(config.providerBaseUrls),
      ...providerKeys.environment,
    };
    const objects = { ...rows, FILES_BUCKET: bucket.bucketName };

    this.uploadEnvironment = { ...objects, STORAGE_QUOTA_BYTES: String(config.storageQuotaBytes) };
    this.grantUpload(api.serve('upload-file', { environment: this.uploadEnvironment }));

    const list = api.serve('list-files', { environment: rows });
    table.grant(list, 'dynamodb:Query');

    const get = api.serve('get-file', { environment: rows });
    table.grant(get, 'dynamodb:GetItem');

    const content = api.serve('get-file-content', { environment: objects });
    table.grant(content, 'dynamodb:GetItem');
    bucket.grantRead(content);

    const remove = api.serve('delete-file', { environment: objects });
    table.grant(remove, 'dynamodb:GetItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem');
    bucket.grantDelete(remove);

    // Management keys may name any workspace, which must then exist.
    for (const handler of [list, get, content, remove]) {
      workspaces.grant(handler, 'dynamodb:GetItem');
      providerKeys.grantUse(handler);
    }
  }

  /** What receiving uploads takes, be it in a function or in a server. */
  grantUpload(grantee: IGrantable): void {
    this.table.grant(grantee, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    this.bucket.grantPut(grantee);
    this.bucket.grantDelete(grantee);
    this.#workspaces.grant(grantee, 'dynamodb:GetItem', 'dynamodb:ConditionCheckItem');
    this.#keys.grant(grantee, 'dynamodb:ConditionCheckItem');
    this.#providerKeys.grantUse(grantee);
  }
}
