import { describeBucketStore } from '../http/rate-limit/bucket-store-suite.ts';
import { dynamo } from './aws.ts';

describeBucketStore(() => dynamo);
