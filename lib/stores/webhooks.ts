import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import { EVENTS_BY_WORKSPACE, HOSTS_BY_WORKSPACE, LOST_EVENTS } from '../../functions/tables.ts';
import { WorkQueue } from '../constructs/consumers.ts';
import { DerivationKey } from '../constructs/derivation-key.ts';
import { type Capability, combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

/** The destination of each workspace's traces, with encrypted headers. */
export class BroadcastTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('GetItem', 'PutItem');
  readonly remover = this.allowing('DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.broadcastTable, partitionKey: 'workspace_id' });
  }
}

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
  /** The right to delete all events of a workspace. */
  readonly purger = combine(this.allowingQueries(EVENTS_BY_WORKSPACE), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.eventsTable,
      partitionKey: 'id',
      expiresBy: 'expires_at',
      isFollowed: true,
    });
    this.indexBy(EVENTS_BY_WORKSPACE, 'workspace_id', 'place');
    this.indexBy(LOST_EVENTS, 'lost_in', 'place');
    this.indexOverdue('workspace_id', 'attempts');
  }
}

class SettingsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.webhookSettingsTable, partitionKey: 'workspace_id' });
  }
}

/** The state of receivers' hosts: running requests, and failures in a row. */
class HostsTable extends Table {
  readonly keeper = this.allowing('GetItem', 'UpdateItem', 'DeleteItem');
  /** The right to forget all hosts of a workspace. */
  readonly purger = combine(this.allowingQueries(HOSTS_BY_WORKSPACE), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.hostsTable, partitionKey: 'id', expiresBy: 'expires_at' });
    this.indexByWorkspace(HOSTS_BY_WORKSPACE);
  }
}

/** Every secret of a webhook is derived from it; see `docs/decisions/003-derived-webhook-secrets.md`. */
const signingKeyOf = (scope: Construct, config: StageConfig) =>
  new DerivationKey(scope, 'SigningKey', {
    config,
    description: 'Derives the keys that sign Genway webhooks',
    variable: variables.signingKeyId,
  });

/**
 * From the outbox to the receiver. The deliverer has its own queue and role. It reads events and settings, derives
 * signatures and decrypts the headers of traces, and has no other rights in this account.
 */
export class Webhooks extends Construct {
  readonly events: EventsTable;
  readonly hosts: HostsTable;
  readonly queue: WorkQueue;
  readonly settings: SettingsTable;
  readonly signingKey: DerivationKey;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.events = new EventsTable(this, 'Events', config);
    this.hosts = new HostsTable(this, 'Hosts', config);
    this.queue = new WorkQueue(this, 'Queue', {
      variable: variables.eventsQueueUrl,
      timeout: Duration.seconds(40),
    });
    this.settings = new SettingsTable(this, 'Settings', config);
    this.signingKey = signingKeyOf(this, config);
  }

  /** The right to send an event again. */
  get redeliverer(): Capability {
    return combine(this.events.changer, this.settings.reader, this.queue.sender);
  }
}
