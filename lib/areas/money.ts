import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { ACTIVITY_BY_DAY } from '../../functions/tables.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { AuditTable, ReplaysTable } from './gate.ts';
import type { WorkspacesTable } from './workspaces.ts';

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
    super(scope, id, {
      config,
      variable: variables.accountsTable,
      partitionKey: { name: 'account', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: ACTIVITY_BY_DAY,
      partitionKey: { name: 'day', type: AttributeType.STRING },
      sortKey: { name: 'account', type: AttributeType.STRING },
    });
  }
}

export interface MoneyEndpointsProps {
  readonly accounts: AccountsTable;
  readonly replays: ReplaysTable;
  readonly workspaces: WorkspacesTable;
  readonly audit: AuditTable;
}

/** Budgets, credits and reports: the endpoints that use accounts and the audit trail. */
export const moneyEndpoints = ({ accounts, replays, workspaces, audit }: MoneyEndpointsProps) => ({
  'list-budgets': [workspaces.reader, accounts.reader],
  'get-budget': [workspaces.reader, accounts.reader],
  'put-budget': [workspaces.reader, workspaces.counter, accounts.reader, accounts.writer],
  'delete-budget': [workspaces.reader, accounts.reader, accounts.writer],
  'get-credits': [accounts.reader],
  'list-activity': [accounts.reporter],
  'list-audit': [audit.lister],
  'grant-credits': [accounts.reader, accounts.granter, replays.rememberer],
});
