import { describeJobMoney } from '../money/job-money-suite.ts';
import { dynamo } from './aws.ts';

describeJobMoney(() => dynamo);
