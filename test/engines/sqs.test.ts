import { AwsWorld } from './aws-world.ts';
import { describeSqs } from './conformance/sqs.ts';

const { sqs } = new AwsWorld().startProcess();
describeSqs(() => sqs);
