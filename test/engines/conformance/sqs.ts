import type { SQSClient } from '@aws-sdk/client-sqs';
import { describeBatches } from './sqs/batches.ts';
import { describeMessages } from './sqs/messages.ts';

/** The behaviour of SQS on which Genway's code depends. */
export function describeSqs(connect: () => SQSClient): void {
  describeMessages(connect);
  describeBatches(connect);
}
