import { AwsWorld } from '../../engines/aws-world.ts';
import { describeSlotStore } from './slot-store-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeSlotStore(() => dynamo);
