import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

/** How often each key has called of late. */
export class Buckets extends Table {
  constructor(scope: Construct, id: string, config: StageConfig) {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    super(scope, id, { config, partitionKey, expiresBy: 'expires_at' });
  }
}

/** Answers to requests with an idempotency key, for a day. */
export class Replays extends Table {
  constructor(scope: Construct, id: string, config: StageConfig) {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    super(scope, id, { config, partitionKey, expiresBy: 'expires_at' });
  }
}
