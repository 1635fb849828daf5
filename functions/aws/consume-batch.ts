import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { Log } from '../log.ts';
import { ClockCheck } from './clock-check.ts';
import { countFailedMessage } from './metrics.ts';

export type SqsHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/**
 * The handler of a queue's consumer. The records of a batch run side by side and fail alone, so that one bad message
 * does not bring the others back. Copies that come in one batch are handled once. A message that is not ours ends in
 * the dead-letter queue.
 */
export function batchHandler<const Schema extends v.GenericSchema>(
  schema: Schema,
  { log, now }: { readonly log: Log; readonly now: () => Date },
  handle: (message: v.InferOutput<Schema>) => Promise<void>,
): SqsHandler {
  const clock = new ClockCheck();
  return async (event, context) => {
    const processor = new BatchProcessor(EventType.SQS);
    const handleOnce = once(async (body) => handle(v.parse(schema, JSON.parse(body))));
    const handleRecord = async ({ body, messageId, attributes }: SQSEvent['Records'][number]) => {
      try {
        clock.assert(attributes, now());
        await handleOnce(body);
      } catch (error) {
        countFailedMessage();
        log.error('message failed', { message_id: messageId, error });
        throw error;
      }
    };
    return processPartialResponse(event, handleRecord, processor, {
      context,
      throwOnFullBatchFailure: false,
    });
  };
}

/** Works on each text once; whoever asks for the same text again waits for the first. */
function once(work: (text: string) => Promise<void>): (text: string) => Promise<void> {
  const begun = new Map<string, Promise<void>>();
  return (text) => {
    const outcome = begun.get(text) ?? work(text);
    begun.set(text, outcome);
    return outcome;
  };
}
