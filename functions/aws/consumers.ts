import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecordAttributes,
} from 'aws-lambda';
import * as v from 'valibot';
import type { Log } from '../telemetry/log.ts';
import { countFailedMessage } from '../telemetry/metrics.ts';
import { type TellUnreadable, unreadFields } from './dynamo-reads.ts';

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

/**
 * Longer than the queues' visibility time-outs: however busy Lambda is, a first-time message has reached its function
 * by then.
 */
const TOLERANCE_MILLISECONDS = 600_000;

type Stamps = Pick<SQSRecordAttributes, 'ApproximateFirstReceiveTimestamp' | 'ApproximateReceiveCount'>;

/** With a wrong clock a worker would end jobs too early, or take leases that others still hold. */
export class WrongClock extends Error {
  override readonly name = 'WrongClock';
}

/** Compares this machine's clock with the queue's. */
export class ClockCheck {
  /** Judged by the latest message that the queue handed out for the first time; undefined before there was one. */
  #isRight: boolean | undefined;

  /** @throws WrongClock; the message goes back to the queue, and most likely to another machine */
  assert(stamps: Stamps, now: Date): void {
    const ahead = now.getTime() - Number(stamps.ApproximateFirstReceiveTimestamp);
    const isNear = Math.abs(ahead) <= TOLERANCE_MILLISECONDS;
    if (stamps.ApproximateReceiveCount === '1') this.#isRight = isNear;
    // A redelivered message may be old, or our clock may be ahead: a clock that was right before is trusted.
    const isOld = ahead > 0 && this.#isRight === true;
    if (this.#isRight === false || !(isNear || isOld)) {
      const seconds = Math.round(Math.abs(ahead) / 1000);
      throw new WrongClock(
        `this machine's clock differs by ${seconds} s from the time of the message's first delivery`,
      );
    }
  }
}

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
