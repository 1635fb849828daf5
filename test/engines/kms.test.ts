import { AwsWorld } from './aws-world.ts';
import { describeKms } from './conformance/kms.ts';

const { kms } = new AwsWorld().startProcess();
describeKms(() => kms);
