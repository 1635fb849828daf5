import { AwsWorld } from '../../engines/aws-world.ts';
import { describeStreakStore } from './streak-store-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeStreakStore(() => dynamo);
