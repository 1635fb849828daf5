import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

/** The differences between the running stage and its file, in one row, and a note about each change. */
class OfferChangesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('GetItem', 'PutItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.endpointsTable, partitionKey: 'id' });
  }
}

/** Recent figures of offers. All rows are in one partition, because they are read together. */
class FiguresTable extends Table {
  readonly lister = this.allowingQueries();
  readonly writer = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.figuresTable, partitionKey: 'part', sortKey: 'endpoint' });
  }
}

/** The data about offers that is not in the stage's file. */
export class Offers extends Construct {
  readonly changes: OfferChangesTable;
  readonly figures: FiguresTable;
  /** The right to read which offers exist, and the time for which a function remembers them. */
  readonly catalogue: Capability;
  /** The right to read which offers exist, and their figures. */
  readonly reader: Capability;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.changes = new OfferChangesTable(this, 'Endpoints', config);
    this.figures = new FiguresTable(this, 'Figures', config);
    const remembered = knowing({ [variables.endpointCacheSeconds]: String(config.endpointCacheSeconds) });
    this.catalogue = combine(this.changes.reader, remembered);
    this.reader = combine(this.catalogue, this.figures.lister);
  }
}
