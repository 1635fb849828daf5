import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand } from './admin.ts';
import { deadLetterQueue, findWorkers, noLettersOf, queueOfWorker } from './workers.ts';

export const deadLettersCommand = (admin: Admin) =>
  adminCommand(
    'dead-letters',
    `Lists the dead letters of a worker, each with its ID, the time when it was sent, and its job or event. With --remove, deletes one. You
cannot restore a deleted dead letter, but a sweeper sends another message for its job or event, if a step is still due.`,
    [
      'incident dead-letters poll-videos --stage prod',
      'incident dead-letters poll-videos --remove 3f0c… --stage prod',
    ],
  )
    .argument('<worker>', 'worker with a queue: submit-jobs, poll-videos, copy-videos or deliver-events')
    .option('--remove <id>', 'delete this dead letter')
    .action(async (name, { stage, remove }) => {
      const { sqs, ...deployment } = await admin.open(stage);
      const source = queueOfWorker(name, await findWorkers({ sqs, ...deployment }));
      const url = await deadLetterQueue(source, sqs);
      const letters = url === undefined ? [] : await lookThrough(url, sqs, remove);
      if (remove === undefined) {
        for (const letter of letters) admin.print(letterLine(letter));
        if (letters.length === 0) admin.print(noLettersOf(name));
      } else if (letters.some(({ MessageId }) => MessageId === remove)) {
        admin.print(`Removed ${remove}`);
      } else {
        throw new CommandFailed(
          `No dead letter ${remove} of ${name} was found; if another command is reading it, try again in a minute`,
        );
      }
    });

/** SQS hides a message from others while it is looked at; a command that dies gives it back after this time. */
const LOOK_SECONDS = 60;
const MOST_AT_ONCE = 10;

/**
 * All dead letters of a queue, which SQS hands out ten at a time. Each is given back after the last was seen, because
 * SQS would hand out the first again. The one to remove is not given back.
 */
export async function lookThrough(
  QueueUrl: string,
  sqs: SQSClient,
  remove?: string,
): Promise<readonly Message[]> {
  const seen = new Map<string, Message>();
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: MOST_AT_ONCE,
        VisibilityTimeout: LOOK_SECONDS,
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
    );
    const before = seen.size;
    for (const message of Messages) seen.set(message.MessageId ?? '', message);
    if (seen.size === before) break;
  }
  for (const { MessageId, ReceiptHandle } of seen.values()) {
    const which = { QueueUrl, ReceiptHandle };
    await (MessageId === remove
      ? sqs.send(new DeleteMessageCommand(which))
      : sqs.send(new ChangeMessageVisibilityCommand({ ...which, VisibilityTimeout: 0 })));
  }
  return [...seen.values()];
}

const subjectSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.pipe(
      v.object({ job_id: v.string() }),
      v.transform(({ job_id }) => job_id),
    ),
    v.pipe(
      v.object({ event_id: v.string() }),
      v.transform(({ event_id }) => event_id),
    ),
  ]),
);

/** `3f0c…  2026-11-21T09:43:02.000Z  vid_…` */
export function letterLine({ MessageId = '', Attributes, Body }: Message): string {
  const sent = Number(Attributes?.SentTimestamp);
  const subject = v.safeParse(subjectSchema, Body);
  return [
    MessageId,
    Number.isNaN(sent) ? '-' : new Date(sent).toISOString(),
    subject.success ? subject.output : 'not a message from Genway',
  ].join('  ');
}
