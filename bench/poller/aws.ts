import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { type JobMessage, jobMessageSchema } from '../../functions/videos/jobs/job-queue.ts';
import { listen } from '../listen.ts';

const readSchema = v.object({ Key: v.object({ id: v.object({ S: v.string() }) }) });
const sentSchema = v.object({
  MessageBody: v.string(),
  DelaySeconds: v.optional(v.number(), 0),
});

export interface PlayedAws {
  /** The row of a job, by its id. */
  readonly row: (id: string) => Job | undefined;
  /** Takes a message that the poller sends. */
  readonly take: (message: JobMessage, delaySeconds: number) => void;
  /** Hears of each call. */
  readonly count: (operation: string) => void;
}

/** DynamoDB and SQS that answer at once. Rows stay as they are, so that each step of a job costs the same. */
export function openAws({ row, take, count }: PlayedAws) {
  const answerTo = (operation: string, sent: unknown): object => {
    count(operation);
    if (operation === 'GetItem') {
      const found = row(v.parse(readSchema, sent).Key.id.S);
      return found === undefined ? {} : { Item: marshall(found) };
    }
    if (operation === 'UpdateItem') return {};
    if (operation !== 'SendMessage') throw new Error(`a poll has no need of ${operation}`);
    const { MessageBody, DelaySeconds } = v.parse(sentSchema, sent);
    take(v.parse(jobMessageSchema, JSON.parse(MessageBody)), DelaySeconds);
    // The SDK compares what it has sent with this.
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    return { MessageId: 'm', MD5OfMessageBody };
  };
  return listen(
    createServer(async (request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const body = JSON.stringify(answerTo(operation, await json(request)));
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    }),
  );
}
