import { AwsWorld } from './aws-world.ts';
import { describeS3 } from './conformance/s3.ts';

const { s3 } = new AwsWorld().startProcess();
describeS3(() => s3);
