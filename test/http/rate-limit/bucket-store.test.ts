import { AwsWorld } from '../../engines/aws-world.ts';
import { describeBucketStore } from './bucket-store-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeBucketStore(() => dynamo);
