import { describeSlotStore } from '../webhooks/delivery/slot-store-suite.ts';
import { dynamo } from './aws.ts';

describeSlotStore(() => dynamo);
