import { waitBy } from './aws/virtual-waits.ts';
import { AwsWorld } from './engines/index.ts';

const world = new AwsWorld();
// Transactions conflict here and are retried after a pause, as on AWS. The emulator has no conflicts.
waitBy(world);

/** The clients of tests named `*.both.test.ts`. In the project `contract`, Jest replaces them by those of the emulator. */
export const { dynamo, s3 } = world.startProcess();

/** How often a test tries a property. A try makes hundreds of calls, which take longer on the emulator. */
export const TRIES = 30;
