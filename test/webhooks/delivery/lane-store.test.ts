import { LaneStore } from '../../../functions/webhooks/delivery/lane-store.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { describeLanes } from './lane-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeLanes(async (limits) => new LaneStore(dynamo, await createTable(dynamo, 'id'), limits));
