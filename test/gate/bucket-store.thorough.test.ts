import { jest } from '@jest/globals';
import { AwsWorld } from '../engines/index.ts';
import { describeBucketStore } from './bucket-store-suite.ts';

// The test makes a thousand calls at once, and the machine may be busy.
jest.setTimeout(60_000);

const { dynamo } = new AwsWorld().startProcess();
describeBucketStore(() => dynamo);
