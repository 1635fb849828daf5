import { describeJobMoney } from '../money/job-money-suite.ts';
import { dynamo } from './aws.ts';

// Few, as each has some hundred calls over HTTP; the engine tries more of them.
describeJobMoney(() => dynamo, 5);
