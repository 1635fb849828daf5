import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { describeLanes } from '../webhooks/delivery/lane-suite.ts';
import { dynamo } from './aws.ts';
import { createTable } from './create-table.ts';

describeLanes(async (limits) => new LaneStore(dynamo, await createTable(dynamo, 'id'), limits));
