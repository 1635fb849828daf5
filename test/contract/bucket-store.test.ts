import { describeBucketStore } from '../gate/bucket-store-suite.ts';
import { dynamo } from './aws.ts';

describeBucketStore(() => dynamo);
