import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { Log } from '../log.ts';
import { countFailedMessage } from './metrics.ts';
import { type TellUnreadable, unreadFields } from './readable-rows.ts';

type StreamHandler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

/** A text attribute, as a stream writes it. */
export const streamedText = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

/**
 * The handler of a table's stream. New rows run side by side. The stream goes on from the first that failed, so rows
 * behind it may come again. A row that cannot be read, or that leads to one, would never succeed, and is left out.
 */
export function streamHandler<const Schema extends v.GenericSchema>(
  schema: Schema,
  { log, tellUnreadable }: { readonly log: Log; readonly tellUnreadable: TellUnreadable },
  handle: (row: v.InferOutput<Schema>) => Promise<void>,
): StreamHandler {
  const handleRecord = async ({ dynamodb, eventID }: DynamoDBRecord) => {
    try {
      await handle(v.parse(schema, dynamodb?.NewImage));
    } catch (error) {
      if (v.isValiError(error)) return tellUnreadable(eventID, unreadFields(error.issues));
      countFailedMessage();
      log.error('row of a stream failed', { record_id: eventID, error });
      throw error;
    }
  };
  return (event, context) => {
    const processor = new BatchProcessor(EventType.DynamoDBStreams);
    return processPartialResponse(event, handleRecord, processor, { context });
  };
}
