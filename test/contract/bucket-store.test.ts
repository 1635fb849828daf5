import { describeBucketStore } from '../gate/rate-limit/bucket-store-suite.ts';
import { dynamo } from './aws.ts';

describeBucketStore(() => dynamo);
