import type { Failure } from '../../functions/webhooks/delivery/judge-answer.ts';
import { failureOf } from '../../functions/webhooks/delivery/post-event.ts';
import { signatureHeaders } from '../../functions/webhooks/signature.ts';
import type { Delivery } from './delivery-log.ts';

/** The same timeout as a real delivery. */
const DEADLINE_MILLISECONDS = 15_000;

export interface ForwardPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

/** The status of the response, or why there was none. */
export type Forwarded = { readonly status: number } | { readonly failure: Failure };

/** Posts an event as the deliverer would, signed with a secret that only this machine uses. */
export async function forward(
  url: string,
  { id, body }: Delivery,
  secret: Uint8Array,
  { fetch, now }: ForwardPorts,
): Promise<Forwarded> {
  const timestamp = Math.floor(now().getTime() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Genway-webhooks/1',
        'x-webhook-attempt': '1',
        ...signatureHeaders({ id, timestamp, body }, [secret]),
      },
      body,
      signal: AbortSignal.timeout(DEADLINE_MILLISECONDS),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
