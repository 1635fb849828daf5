import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../functions/sweeping/sparse-index.ts';
import { EVENTS_BY_WORKSPACE, LOST_EVENTS } from '../functions/webhooks/table.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { StageConfig } from './stage-config.ts';

/** The outbox: the events to deliver, and the state of each delivery. */
export class EventsTable extends Table {
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

export class SettingsTable extends Table {
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
export class HostsTable extends Table {
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
