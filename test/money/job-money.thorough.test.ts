import { jest } from '@jest/globals';
import { AwsWorld } from '../engines/index.ts';
import { waitBy } from '../engines/virtual-waits.ts';

// The test makes thousands of calls, and the machine may be busy.
jest.setTimeout(60_000);

const world = new AwsWorld();
// Here transactions conflict and are retried after a pause, as on AWS. The emulator has no conflicts.
waitBy(world);
const { describeJobMoney } = await import('./job-money-suite.ts');
const { dynamo } = world.startProcess();
describeJobMoney(() => dynamo, 30);
