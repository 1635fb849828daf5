import { EgressRefused } from '../egress/url-policy.ts';
import type { WebhookEvent } from './event.ts';
import { retryAfter } from './retry-after.ts';
import { signatureHeaders } from './signature/sign.ts';

export interface Outcome {
  readonly delivered: boolean;
  /** A status class or a class of failure; nothing that the receiver or its network said. */
  readonly summary: string;
  readonly retryAfterSeconds?: number;
}

/** One signed request. Only a 2xx within the deadline of `fetch` counts; redirects are failures. */
export async function postEvent(
  url: string,
  event: WebhookEvent,
  secrets: readonly Uint8Array[],
  ports: { readonly fetch: typeof fetch; readonly now: () => Date },
): Promise<Outcome> {
  const now = ports.now();
  const content = { id: event.id, timestamp: Math.floor(now.getTime() / 1000), body: event.body };
  try {
    const response = await ports.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Genway-webhooks/1',
        'x-webhook-attempt': String(event.attempts + 1),
        ...signatureHeaders(content, secrets),
      },
      body: event.body,
    });
    await response.body?.cancel();
    const asked = retryAfter(response.headers.get('retry-after'), now);
    return {
      delivered: response.ok,
      summary: `${Math.floor(response.status / 100)}xx`,
      ...(asked === undefined ? {} : { retryAfterSeconds: asked }),
    };
  } catch (error) {
    return { delivered: false, summary: failureClass(error) };
  }
}

function failureClass(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressRefused) return 'address refused';
    if (cause.name === 'TimeoutError') return 'timed out';
  }
  return 'connection failed';
}
