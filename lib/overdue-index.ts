import { AttributeType, ProjectionType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { OVERDUE_INDEX } from '../functions/sweeping/sparse-index.ts';

/** Only rows that still have something to do are in it; see `functions/sweeping/sparse-index.ts`. */
export function addOverdueIndex(table: TableV2, nonKeyAttributes: string[]): void {
  table.addGlobalSecondaryIndex({
    indexName: OVERDUE_INDEX,
    partitionKey: { name: 'active', type: AttributeType.STRING },
    sortKey: { name: 'due_at', type: AttributeType.NUMBER },
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes,
  });
}
