import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import { Bucket } from '../constructs/bucket.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

class FilesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = combine(this.allowingQueries(), this.allowing('BatchGetItem'));
  /** The right to write a file's row and its workspace's total. */
  readonly creator = this.allowing('GetItem', 'PutItem', 'UpdateItem');
  /** The right to change the row of an upload in parts, and the total of its workspace. */
  readonly partTaker = this.allowing('GetItem', 'UpdateItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem', 'UpdateItem');
  /** The right to find and remove expired files and uploads. */
  readonly sweeper = combine(
    this.allowingQueries(OVERDUE_INDEX),
    this.allowing('GetItem', 'DeleteItem', 'UpdateItem'),
  );
  /** The right to delete all files of a workspace. */
  readonly purger = combine(this.allowingQueries(), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.filesTable, partitionKey: 'workspace_id', sortKey: 'id' });
    this.indexOverdue('size_bytes');
  }
}

/** Uploaded files: a row and an object each. */
export class Files extends Construct {
  readonly rows: FilesTable;
  readonly objects: Bucket;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.rows = new FilesTable(this, 'Table', config);
    this.objects = new Bucket(this, 'Bucket', { config, variable: variables.filesBucket });
  }
}
