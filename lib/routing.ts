import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';

/** What is otherwise on the running stage than its file says: one row, and a note of each change. */
class EndpointsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('GetItem', 'PutItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.endpointsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
  }
}

/** How endpoints have done lately: all rows in one partition, as they are read together. */
class FiguresTable extends Table {
  readonly lister = this.allowingQueries();
  readonly writer = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.figuresTable,
      partitionKey: { name: 'part', type: AttributeType.STRING },
      sortKey: { name: 'endpoint', type: AttributeType.STRING },
    });
  }
}

/** What is known of endpoints beside the file that the stage was deployed with. */
export class Routing extends Construct {
  readonly endpoints: EndpointsTable;
  readonly figures: FiguresTable;
  /** To say which endpoints there are, and how they do. */
  readonly reader;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.endpoints = new EndpointsTable(this, 'Endpoints', config);
    this.figures = new FiguresTable(this, 'Figures', config);
    this.reader = combine(this.endpoints.reader, this.figures.lister);
  }
}

export interface RoutingEndpointsProps {
  readonly routing: Routing;
  readonly settings: Settings;
}

/** To change what the stage offers, without a deployment. */
export const routingEndpoints = ({ routing: { endpoints }, settings }: RoutingEndpointsProps) => ({
  'list-endpoints': [endpoints.reader],
  'put-endpoint': [endpoints.changer, settings.videoProviders],
  'update-endpoint': [endpoints.changer],
  'delete-endpoint': [endpoints.changer],
});
