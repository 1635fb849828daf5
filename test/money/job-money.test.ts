import { jest } from '@jest/globals';
import { AwsWorld } from '../engines/aws-world.ts';
import { describeJobMoney } from './job-money-suite.ts';

// Thousands of calls, and the machine may have other work.
jest.setTimeout(60_000);

// As on the emulator, no two transactions meet: when they do, `transact` waits in real time.
const { dynamo } = new AwsWorld({ transactionMilliseconds: 0 }).startProcess();
describeJobMoney(() => dynamo, 30);
