import { describeJobMoney } from '../money/job-money-suite.ts';
import { dynamo } from './aws.ts';

// Each case makes about a hundred calls over HTTP, so there are few. The tests on the engine try many more.
describeJobMoney(() => dynamo, 5);
