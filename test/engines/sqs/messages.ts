import { hash } from 'node:crypto';
import { ServiceError } from '../service.ts';
import { invalidValue } from './errors.ts';
import type { Message, Queue } from './queue.ts';

export const LARGEST_BATCH = 1_048_576;
const LONGEST_DELAY = 900;
const LONGEST_GROUP = 128;
/** Characters that XML 1.0 does not allow. */
const UNSENDABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export interface Sending {
  readonly MessageBody: string;
  readonly DelaySeconds?: number | undefined;
  readonly MessageGroupId?: string | undefined;
}

/** @throws ServiceError */
export function sendMessage(queue: Queue, sending: Sending, isDuplicate: boolean) {
  assertSendable(queue, sending);
  const { MessageBody: body, MessageGroupId: group, DelaySeconds: delaySeconds } = sending;
  const message = queue.send({ body, group, delaySeconds });
  if (isDuplicate) queue.repeat(message);
  return { MessageId: message.id, MD5OfMessageBody: md5(body) };
}

function assertSendable(
  queue: Queue,
  { MessageBody, DelaySeconds = 0, MessageGroupId = 'a' }: Sending,
): void {
  const { maximumBytes } = queue.settings;
  if (MessageBody === '') {
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (UNSENDABLE.test(MessageBody)) {
    throw new ServiceError(
      'InvalidMessageContents',
      'The message contains characters outside the allowed set.',
    );
  }
  if (Buffer.byteLength(MessageBody) > maximumBytes) {
    throw invalidValue(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximumBytes} bytes.`,
    );
  }
  if (DelaySeconds < 0 || DelaySeconds > LONGEST_DELAY) {
    throw invalidValue(
      `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${LONGEST_DELAY}.`,
    );
  }
  if (MessageGroupId === '' || MessageGroupId.length > LONGEST_GROUP) {
    throw invalidValue(`Value ${MessageGroupId} for parameter MessageGroupId is invalid.`);
  }
}

/** The message as a receiver gets it. */
export function received(message: Message, names: readonly string[]) {
  const all: Record<string, string> = {
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    SentTimestamp: String(message.sentAt),
    ...(message.group === undefined ? {} : { MessageGroupId: message.group }),
  };
  const asked = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name));
  return {
    MessageId: message.id,
    ReceiptHandle: message.handle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) }),
  };
}

const md5 = (text: string) => hash('md5', text);
