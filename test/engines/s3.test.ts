import { AwsWorld } from './aws-world.ts';
import { describeS3 } from './conformance/s3.ts';

const world = new AwsWorld();
const { s3 } = world.startProcess();
describeS3(() => ({ client: s3, fetch: world.fetch, now: world.clock.now }));
