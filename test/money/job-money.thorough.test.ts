import { jest } from '@jest/globals';
import { AwsWorld } from '../engines/aws-world.ts';
import { waitBy } from '../engines/virtual-waits.ts';

// Thousands of calls, and the machine may have other work.
jest.setTimeout(60_000);

const world = new AwsWorld();
// Here transactions meet, as they do on AWS and not on the emulator, and are tried again after a pause.
waitBy(world);
const { describeJobMoney } = await import('./job-money-suite.ts');
const { dynamo } = world.startProcess();
describeJobMoney(() => dynamo, 30);
