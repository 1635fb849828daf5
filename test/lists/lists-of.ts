import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ListStore } from '../../functions/lists/list-store.ts';
import type { DeployedStage } from '../deployed/deployed-stage.ts';

/** The list store on a stage's table in memory. */
export const listsOf = (dynamo: DynamoDBDocumentClient, stage: DeployedStage): ListStore =>
  new ListStore(dynamo, stage.name('Lists'), () => crypto.randomUUID());
