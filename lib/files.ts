import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { Bucket } from './bucket.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

export interface FilesProps {
  readonly config: StageConfig;
  readonly api: RestApi;
}

/** Uploaded files: a row and an object each, and the endpoints over them. */
export class Files extends Construct {
  constructor(scope: Construct, id: string, { config, api }: FilesProps) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      config,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });
    const bucket = new Bucket(this, 'Bucket', { config });
    const FILES_TABLE = table.tableName;
    const environment = { FILES_TABLE, FILES_BUCKET: bucket.bucketName };

    const upload = api.serve('upload-file', { environment });
    table.grant(upload, 'dynamodb:PutItem');
    bucket.grantPut(upload);
    bucket.grantDelete(upload);

    table.grant(api.serve('get-file', { environment: { FILES_TABLE } }), 'dynamodb:GetItem');

    const content = api.serve('get-file-content', { environment });
    table.grant(content, 'dynamodb:GetItem');
    bucket.grantRead(content);
  }
}
