import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import {
  ACTIVITY_BY_DAY,
  CHANGEABLE_OF_KEYS,
  GUARDRAILS_BY_WORKSPACE,
  KEYS_BY_CREATION,
  KEYS_BY_WORKSPACE,
  REPLAYS_BY_WORKSPACE,
  WORKSPACES_BY_CREATION,
} from '../../functions/tables.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

/** API keys and management keys: the table against which every credential is checked. */
export class KeysTable extends Table {
  /** The right to check a credential, and to record its use. */
  readonly authenticator = combine(
    this.allowing('GetItem'),
    this.allowingUpdatesOf(['hash', 'last_used_at']),
  );
  /** The right to check a credential without recording its use. */
  readonly finder = this.allowing('GetItem');
  readonly creator = this.allowing('PutItem');
  readonly lister = combine(this.allowingQueries(KEYS_BY_CREATION), this.allowingQueries(KEYS_BY_WORKSPACE));
  readonly reader = this.allowing('BatchGetItem');
  /** A change can never turn a key into another key or into a management key, or widen its scope. */
  readonly changer = this.allowingUpdatesOf(['hash', 'updated_at', ...CHANGEABLE_OF_KEYS]);
  readonly remover = this.allowing('DeleteItem');
  /** The right to delete the keys of a workspace. A list that was never built is built from all keys. */
  readonly purger = combine(this.lister, this.remover);
  /** The right to check, in the same transaction as another write, that a key is still valid. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.keysTable, partitionKey: 'hash' });
    // `listed_as` is the time of creation, then the key's id for keys of the same moment: a total order.
    this.indexBy(KEYS_BY_CREATION, 'listing', 'listed_as');
    this.indexBy(KEYS_BY_WORKSPACE, 'workspace_id', 'listed_as');
  }
}

/** Sessions of the console: against this table every credential of theirs is checked. */
export class SessionsTable extends Table {
  readonly finder = this.allowing('GetItem');
  readonly creator = this.allowing('PutItem');
  /** A renewal can never give a session to another key, or another end. */
  readonly renewer = this.allowingUpdatesOf(['hash', 'valid_until']);
  readonly remover = this.allowing('DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.sessionsTable,
      partitionKey: 'hash',
      expiresBy: 'expires_at',
    });
  }
}

/** Changes that wait for a second key. */
export class ApprovalsTable extends Table {
  readonly lister = this.allowingQueries();
  /** Also counts what one hand has asked for. */
  readonly creator = combine(this.allowing('PutItem'), this.lister);
  /** A decision can never turn a change into another one. */
  readonly decider = combine(
    this.allowing('GetItem'),
    this.allowingUpdatesOf(['listing', 'id', 'status', 'decided_by', 'decided_at', 'ends_at']),
  );

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.approvalsTable,
      partitionKey: 'listing',
      sortKey: 'id',
      expiresBy: 'expires_at',
    });
  }
}

/** Workspaces and the slugs that name them. */
export class WorkspacesTable extends Table {
  readonly reader = this.allowing('GetItem');
  /** The right to read a workspace in one read with the row of its guardrail. */
  readonly policyReader = this.allowing('BatchGetItem');
  readonly lister = this.allowingQueries(WORKSPACES_BY_CREATION);
  /** The right to read the rows of a page of the list. */
  readonly pageReader = this.allowing('BatchGetItem');
  /** Also reads, to find out whether somebody else has already taken a slug. */
  readonly creator = this.allowing('GetItem', 'PutItem');
  /** A slug is a separate row, which a change creates and deletes. */
  readonly changer = this.allowing('GetItem', 'PutItem', 'DeleteItem');
  readonly remover = this.allowing('GetItem', 'UpdateItem', 'DeleteItem');
  readonly sweeper = combine(
    this.allowingQueries(WORKSPACES_BY_CREATION),
    this.allowing('UpdateItem', 'DeleteItem'),
  );
  /** The right to record changes of its keys and budgets, so that it cannot be deleted at the same time. */
  readonly counter = this.allowing('UpdateItem');
  /** The right to check, in the same transaction as another write, that the workspace still exists. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.workspacesTable, partitionKey: 'pk' });
    this.indexBy(WORKSPACES_BY_CREATION, 'listing', 'created_at');
  }
}

/** What workspaces allow their submits to use. */
export class GuardrailsTable extends Table {
  readonly reader = this.allowing('GetItem');
  /** The right to read guardrails, alone or in one read with the workspace's row. */
  readonly policyReader = this.allowing('GetItem', 'BatchGetItem');
  readonly lister = this.allowingQueries(GUARDRAILS_BY_WORKSPACE);
  readonly creator = this.allowing('PutItem');
  readonly changer = this.allowing('GetItem', 'PutItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem');
  /** The right to record, in the transaction in which a key names a guardrail, that it is in use. */
  readonly named = this.allowingUpdatesOf(['id', 'workspace_id', 'version']);
  /** The right to delete all guardrails of a workspace. */
  readonly clearer = combine(this.lister, this.allowing('DeleteItem'));
  /** The right to check, in the transaction in which a workspace names a guardrail, that it exists. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.guardrailsTable, partitionKey: 'id' });
    this.indexBy(GUARDRAILS_BY_WORKSPACE, 'workspace_id', 'created_at');
  }
}

/** The ordered lists of workspaces, keys and provider keys; see `functions/lists/`. */
export class ListsTable extends Table {
  readonly reader = this.allowing('BatchGetItem');
  /** The right to change lists in the same transaction as their entries. */
  readonly changer = this.allowing('BatchGetItem', 'PutItem', 'DeleteItem');
  readonly auditor = combine(this.allowingScans(), this.allowing('BatchGetItem', 'DeleteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.listsTable, partitionKey: 'list' });
  }
}

/** The remaining money of keys, workspaces and the deployment's credits. */
export class AccountsTable extends Table {
  readonly reader = this.allowing('BatchGetItem');
  /** The right to set limits, to hold and to settle. */
  readonly writer = this.allowing('UpdateItem');
  /** The right to report costs of ended jobs. */
  readonly reporter = this.allowingQueries(ACTIVITY_BY_DAY);
  /** The right to record grants of credits. */
  readonly granter = this.allowing('UpdateItem', 'PutItem');

  /** The right to compare accounts with jobs, and to save where a run has stopped. */
  readonly auditor = combine(this.allowingScans(), this.allowing('BatchGetItem', 'UpdateItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.accountsTable, partitionKey: 'account' });
    this.indexBy(ACTIVITY_BY_DAY, 'day', 'account');
  }
}

/** The recent calls of each key. */
export class BucketsTable extends Table {
  readonly counter = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.bucketsTable,
      partitionKey: 'id',
      expiresBy: 'expires_at',
    });
  }
}

/** Responses to requests with an idempotency key, kept for a day. */
export class ReplaysTable extends Table {
  readonly rememberer = this.allowing('GetItem', 'PutItem');
  /** The right to delete all answers about a workspace. */
  readonly purger = combine(this.allowingQueries(REPLAYS_BY_WORKSPACE), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.replaysTable,
      partitionKey: 'id',
      expiresBy: 'expires_at',
    });
    this.indexByWorkspace(REPLAYS_BY_WORKSPACE);
  }
}

/** All that can end or change a row of a table, but for a put over it. */
const CHANGES_OF_ROWS = ['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLUpdate', 'PartiQLDelete'].map(
  (action) => `dynamodb:${action}`,
);

/** The audit trail: who changed what. Rows are added, and expire; nobody updates or deletes one. */
export class AuditTable extends Table {
  readonly writer = this.allowing('PutItem');
  /** Outcomes are rows of their own. */
  readonly lister = combine(this.allowingQueries(), this.allowing('BatchGetItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.auditTable,
      partitionKey: 'trail',
      sortKey: 'place',
      expiresBy: 'expires_at',
    });
    // This binds every role of the account, whatever rights it has. The expiry is DynamoDB’s own, and goes on.
    this.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: CHANGES_OF_ROWS,
        // A table’s policy is about this table alone.
        resources: ['*'],
      }),
    );
  }
}
