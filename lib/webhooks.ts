import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { EVENTS_BY_WORKSPACE, LOST_EVENTS } from '../functions/webhooks/table.ts';
import type { GenwayFunction } from './genway-function.ts';
import { addOverdueIndex } from './overdue-index.ts';
import { QueueConsumer, sendTo, WorkQueue } from './queue-consumer.ts';
import type { StageConfig } from './stage-config.ts';
import { Sweeper } from './sweeper.ts';
import { Table } from './table.ts';

export interface WebhooksProps {
  readonly config: StageConfig;
}

/**
 * From the outbox to the receiver. The deliverer has a queue and a role of its own: it reads events and
 * settings, derives signatures, and reaches nothing else of this account.
 */
export class Webhooks extends Construct {
  readonly events: Table;
  readonly queue: WorkQueue;
  readonly settings: Table;
  /** What is known of receivers' hosts: requests under way, failures in a row. */
  readonly #hosts: Table;
  readonly signingKey: Key;

  constructor(scope: Construct, id: string, { config }: WebhooksProps) {
    super(scope, id);
    const timeout = Duration.seconds(40);
    this.events = new Table(this, 'Events', {
      config,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
    this.events.addGlobalSecondaryIndex({
      indexName: EVENTS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'place', type: AttributeType.STRING },
    });
    this.events.addGlobalSecondaryIndex({
      indexName: LOST_EVENTS,
      partitionKey: { name: 'lost_in', type: AttributeType.STRING },
      sortKey: { name: 'place', type: AttributeType.STRING },
    });
    addOverdueIndex(this.events, ['workspace_id', 'attempts']);
    this.#hosts = new Table(this, 'Hosts', {
      config,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
    this.queue = new WorkQueue(this, 'Queue', { timeout });
    this.settings = new Table(this, 'Settings', {
      config,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
    });
    this.signingKey = new Key(this, 'SigningKey', {
      description: 'Derives what signs Genway webhooks',
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy: config.data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.#deliver(config, timeout);
    this.#sweep(config);
  }

  #deliver(config: StageConfig, timeout: Duration): void {
    const deliverer = new QueueConsumer(this, 'Deliverer', {
      config,
      name: 'deliver-events',
      queue: this.queue,
      timeout,
      maxConcurrency: config.delivererConcurrency,
      environment: {
        EVENTS_TABLE: this.events.tableName,
        EVENTS_QUEUE_URL: this.queue.queueUrl,
        WEBHOOK_SETTINGS_TABLE: this.settings.tableName,
        HOSTS_TABLE: this.#hosts.tableName,
        DELIVERERS: String(config.delivererConcurrency),
        SIGNING_KEY_ID: this.signingKey.keyId,
        PRIVATE_HOSTS: config.allowedPrivateHosts.join(','),
        WIRE_NAMES: config.wireNames,
      },
    });
    this.events.grant(deliverer, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.settings.grant(deliverer, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.#hosts.grant(deliverer, 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
    this.signingKey.grant(deliverer, 'kms:GenerateMac');
  }

  #sweep(config: StageConfig): void {
    const sweeper = new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-events',
      environment: { EVENTS_TABLE: this.events.tableName, EVENTS_QUEUE_URL: this.queue.queueUrl },
    });
    this.events.grant(sweeper, 'dynamodb:Query', 'dynamodb:UpdateItem');
    sweeper.addToRolePolicy(sendTo(this.queue));
  }

  /** What `redeliverPorts` in `functions/endpoints/webhooks/deployed.ts` reads. */
  get redeliveryEnvironment() {
    return {
      EVENTS_TABLE: this.events.tableName,
      EVENTS_QUEUE_URL: this.queue.queueUrl,
      WEBHOOK_SETTINGS_TABLE: this.settings.tableName,
    };
  }

  grantRedelivery(handler: GenwayFunction): void {
    this.events.grant(handler, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.settings.grant(handler, 'dynamodb:GetItem');
    handler.addToRolePolicy(sendTo(this.queue));
  }
}
