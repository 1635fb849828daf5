import { readAtMost } from '../../upstream/read-at-most.ts';
import { retryAfter } from '../../upstream/retry-after.ts';
import { nextAttempt, type WebhookEvent } from '../events/event.ts';
import type { SignDelivery } from './delivery-signer.ts';
import { failureOf } from './failure-of.ts';
import type { Answer } from './judge-answer.ts';

export interface PostPorts {
  /** With a deadline over the whole exchange. */
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

/** Enough for any receiver that says more than it must; what is longer is not read. */
const LONGEST_ANSWER = 64 * 1024;

/** One signed request, and what came of it. An answer counts when it has ended, or is longer than we read. */
export async function postEvent(
  url: string,
  event: WebhookEvent,
  sign: SignDelivery,
  requestId: string,
  ports: PostPorts,
): Promise<Answer> {
  const now = ports.now();
  const timestamp = Math.floor(now.getTime() / 1000);
  try {
    const response = await ports.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Genway-webhooks/1',
        'x-request-id': requestId,
        'x-webhook-attempt': String(nextAttempt(event)),
        ...(event.is_redelivery ? { 'x-webhook-redelivery': 'true' } : {}),
        ...sign(event, timestamp),
      },
      body: event.body,
    });
    await readAtMost(response.body, LONGEST_ANSWER);
    const asked = retryAfter(response.headers.get('retry-after'), now);
    return {
      status: response.status,
      aborts: response.headers.get('webhook-delivery') === 'abort-message',
      ...(asked === undefined ? {} : { retryAfterSeconds: asked }),
    };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
