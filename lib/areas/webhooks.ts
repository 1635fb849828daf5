import { Duration } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import { EVENTS_BY_WORKSPACE, LOST_EVENTS, SEALED_FOR } from '../../functions/tables.ts';
import { Sweeper } from '../constructs/clock.ts';
import { QueueConsumer, WorkQueue } from '../constructs/consumers.ts';
import { DerivationKey } from '../constructs/derivation-key.ts';
import { type Capability, combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Settings } from './settings.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** The address to which each workspace sends its traces, with encrypted headers. */
export class BroadcastTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('PutItem');
  readonly remover = this.allowing('DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.broadcastTable,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
    });
  }
}

interface BroadcastProps {
  readonly broadcast: BroadcastTable;
  readonly providerKeys: ProviderKeys;
}

/** The right to send traces: to read their address, and to decrypt its headers. */
const traceSender = ({ broadcast, providerKeys }: BroadcastProps) =>
  combine(broadcast.reader, providerKeys.openerOf([SEALED_FOR]));

interface BroadcastEndpointsProps extends BroadcastProps {
  readonly workspaces: WorkspacesTable;
  readonly settings: Settings;
}

export const broadcastEndpoints = (props: BroadcastEndpointsProps) => {
  const { broadcast, providerKeys, workspaces, settings } = props;
  return {
    'get-workspace-broadcast': [workspaces.reader, broadcast.reader],
    'put-workspace-broadcast': [
      workspaces.reader,
      broadcast.changer,
      providerKeys.sealer,
      settings.privateHosts,
    ],
    'delete-workspace-broadcast': [workspaces.reader, broadcast.remover],
    'test-workspace-broadcast': [workspaces.reader, traceSender(props), settings.privateHosts],
  };
};

/** The outbox: the events to deliver, and the state of each delivery. */
class EventsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = combine(this.allowingQueries(EVENTS_BY_WORKSPACE), this.allowing('GetItem'));
  readonly finderOfLost = this.allowingQueries(LOST_EVENTS);
  readonly creator = this.allowing('PutItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  readonly sweeper = combine(
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('GetItem', 'PutItem', 'UpdateItem'),
  );
  readonly auditor = combine(this.allowingScans(), this.allowing('BatchGetItem', 'PutItem', 'UpdateItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.eventsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
      isFollowed: true,
    });
    this.addGlobalSecondaryIndex({
      indexName: EVENTS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'place', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: LOST_EVENTS,
      partitionKey: { name: 'lost_in', type: AttributeType.STRING },
      sortKey: { name: 'place', type: AttributeType.STRING },
    });
    this.indexOverdue('workspace_id', 'attempts');
  }
}

class SettingsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.webhookSettingsTable,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
    });
  }
}

/** The state of receivers' hosts: running requests, and failures in a row. */
class HostsTable extends Table {
  readonly keeper = this.allowing('GetItem', 'UpdateItem', 'DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.hostsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
  }
}

/** Every secret of a webhook is derived from it; see `docs/decisions/003-derived-webhook-secrets.md`. */
const signingKeyOf = (scope: Construct, config: StageConfig) =>
  new DerivationKey(scope, 'SigningKey', {
    config,
    description: 'Derives what signs Genway webhooks',
    variable: variables.signingKeyId,
  });

interface WebhooksProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly workspaces: WorkspacesTable;
  readonly broadcast: BroadcastTable;
  readonly providerKeys: ProviderKeys;
}

/**
 * From the outbox to the receiver. The deliverer has its own queue and role. It reads events and settings, derives
 * signatures and decrypts the headers of traces, and has no other rights in this account.
 */
export class Webhooks extends Construct {
  readonly events: EventsTable;
  readonly queue: WorkQueue;
  readonly settings: SettingsTable;
  readonly signingKey: DerivationKey;

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    const { config, settings, workspaces } = props;
    const timeout = Duration.seconds(40);
    this.events = new EventsTable(this, 'Events', config);
    const hosts = new HostsTable(this, 'Hosts', config);
    this.queue = new WorkQueue(this, 'Queue', { variable: variables.eventsQueueUrl, timeout });
    this.settings = new SettingsTable(this, 'Settings', config);
    this.signingKey = signingKeyOf(this, config);
    new QueueConsumer(this, 'Deliverer', {
      config,
      name: 'deliver-events',
      queue: this.queue,
      timeout,
      maxConcurrency: config.delivererConcurrency,
      reservedConcurrency: config.reservedConcurrency.deliverer,
      can: [
        this.events.changer,
        // A trace is a separate row beside the event of a job's end.
        this.events.creator,
        workspaces.reader,
        traceSender(props),
        this.settings.reader,
        this.settings.changer,
        hosts.keeper,
        this.signingKey.deriver,
        settings.privateHosts,
        settings.wireNames,
        settings.deliverers,
      ],
    });
    new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-events',
      can: [this.events.sweeper, this.queue.sender],
    });
  }

  /** The right to send an event again. */
  get redeliverer(): Capability {
    return combine(this.events.changer, this.settings.reader, this.queue.sender);
  }
}
