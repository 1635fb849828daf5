import { describeStreakStore } from '../webhooks/delivery/streak-store-suite.ts';
import { dynamo } from './aws.ts';

describeStreakStore(() => dynamo);
