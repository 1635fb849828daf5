import type { SQSClient } from '@aws-sdk/client-sqs';
import { describeBatches } from './sqs/batches.ts';
import { describeMessages } from './sqs/messages.ts';

/** What Genway's code takes for granted of SQS. */
export function describeSqs(connect: () => SQSClient): void {
  describeMessages(connect);
  describeBatches(connect);
}
