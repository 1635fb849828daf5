import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { AwsWorld } from '../engines/index.ts';
import { type Cloud, WORKERS } from './cloud.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const CONSUMERS = [
  { name: 'submit-jobs', queue: 'Videos-Submits', batch: 10 },
  { name: 'poll-videos', queue: 'Videos-Queue', batch: 10 },
  { name: 'copy-videos', queue: 'Videos-Copies', batch: 1 },
  { name: 'deliver-events', queue: 'Webhooks-Queue', batch: 10 },
] as const;

/**
 * The event source mappings. Each passes the messages of its queue to its function.
 *
 * @param alone each message in a batch of its own, so that each slow one occupies an instance
 */
export function startConsumers(cloud: Cloud, delay = () => 0, alone = false): void {
  for (const { batch, ...consumer } of CONSUMERS)
    void consume(cloud, { ...consumer, batch: alone ? 1 : batch }, delay);
}

async function consume(
  cloud: Cloud,
  { name, queue, batch }: Pick<(typeof CONSUMERS)[number], 'name' | 'queue'> & { readonly batch: number },
  delay: () => number,
): Promise<void> {
  const { sqs } = cloud.world.startProcess(`mapping of ${queue}`);
  const QueueUrl = cloud.stage.name(queue);
  const batches = new Set<Promise<void>>();
  while (cloud.isRunning) {
    if (batches.size >= WORKERS) await Promise.race(batches);
    await cloud.world.sqs.untilWaiting(QueueUrl, HOUR);
    if (delay() > 0) await cloud.world.clock.wait(delay());
    const receive = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: batch,
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await sqs.send(receive).catch(() => ({ Messages: [] }));
    if (Messages.length === 0) continue;
    const work = consumeBatch(cloud, name, sqs, QueueUrl, Messages).finally(() => batches.delete(work));
    batches.add(work);
  }
}

async function consumeBatch(
  cloud: Cloud,
  name: (typeof CONSUMERS)[number]['name'],
  sqs: ReturnType<AwsWorld['startProcess']>['sqs'],
  QueueUrl: string,
  messages: readonly Message[],
): Promise<void> {
  const records = messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
    messageAttributes: {},
    eventSource: 'aws:sqs',
  }));
  const failed = await cloud.invoke(name, { Records: records }).then(failedIds, cloud.onFailure);
  const done = messages.filter(({ MessageId }) => failed !== undefined && !failed.includes(MessageId));
  if (done.length === 0) return;
  const Entries = done.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
  // A message that could not be deleted comes back.
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })).catch(() => undefined);
}

function failedIds(result: unknown): readonly unknown[] {
  const failures: unknown = Object(result).batchItemFailures;
  return Array.isArray(failures) ? failures.map((failure) => Object(failure).itemIdentifier) : [];
}

/**
 * Runs each sweeper every minute and sometimes twice, like EventBridge. It skips a sweep if nothing is due, because
 * that would change nothing.
 */
export async function sweepEachMinute(
  cloud: Cloud,
  isDue: (table: string) => boolean,
  isTwice: () => boolean,
): Promise<void> {
  const sweepers = [
    { name: 'sweep-jobs', table: 'Videos-Jobs' },
    { name: 'sweep-events', table: 'Webhooks-Events' },
    { name: 'sweep-files', table: 'Files-Table' },
    { name: 'sweep-workspaces', table: 'Workspaces' },
  ] as const;
  while (cloud.isRunning) {
    await cloud.world.clock.wait(MINUTE);
    for (const { name, table } of sweepers) {
      if (!isDue(table)) continue;
      void cloud.invoke(name).catch(cloud.onFailure);
      if (isTwice()) void cloud.invoke(name).catch(cloud.onFailure);
    }
  }
}
