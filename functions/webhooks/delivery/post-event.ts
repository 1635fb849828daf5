import { nextAttempt, type WebhookEvent } from '../events/event.ts';
import type { SignDelivery } from './delivery-signer.ts';
import type { Answer } from './judge-answer.ts';
import { type PostPorts, postBody, type Reply } from './post-body.ts';

/** Sends one signed request, and returns its outcome. */
export async function postEvent(
  url: string,
  event: WebhookEvent,
  sign: SignDelivery,
  requestId: string,
  ports: PostPorts,
): Promise<Answer> {
  const timestamp = Math.floor(ports.now().getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Genway-webhooks/1',
    'x-request-id': requestId,
    'x-webhook-attempt': String(nextAttempt(event)),
    ...(event.is_redelivery ? { 'x-webhook-redelivery': 'true' } : {}),
    ...sign(event, timestamp),
  };
  return postBody(url, { headers, body: event.body }, wantsNoMore, ports);
}

const wantsNoMore = ({ headers }: Reply): boolean => headers.get('webhook-delivery') === 'abort-message';
