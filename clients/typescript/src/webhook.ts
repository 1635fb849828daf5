import { WebhookError } from './errors.ts';
import type {
  VideoGenerationCancelledEvent,
  VideoGenerationCompletedEvent,
  VideoGenerationExpiredEvent,
  VideoGenerationFailedEvent,
  WebhookTestEvent,
} from './types.ts';

export type WebhookEvent =
  | VideoGenerationCompletedEvent
  | VideoGenerationFailedEvent
  | VideoGenerationCancelledEvent
  | VideoGenerationExpiredEvent
  | WebhookTestEvent;

/** Those of `fetch`, of any package that has one, or of a server. */
type ReceivedHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | string[] | undefined>>;

const TOLERANCE_SECONDS = 300;
const SHORTEST_SECRET = 24;

/**
 * The event in a delivery.
 *
 * @param rawBody the body as it arrived; JSON that was parsed and written again has another signature
 * @param secrets `whsec_…`; several while a rotation is under way
 * @throws WebhookError unless it was signed with one of the secrets, within five minutes of now
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array<ArrayBuffer>,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  now = new Date(),
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  );
  const age = now.getTime() / 1000 - Number(timestamp || Number.NaN);
  if (!(Math.abs(age) <= TOLERANCE_SECONDS))
    throw new WebhookError('webhook-timestamp is missing, too old or too new');
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const content = new Uint8Array([...prefix, ...body]);
  const given = (signatures ?? '').split(' ').filter((each) => each.startsWith('v1,'));
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret);
    for (const each of given) {
      const signature = bytesOf(each.slice('v1,'.length));
      // The comparison is the platform's own, in constant time.
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, content)))
        return JSON.parse(text);
    }
  }
  throw new WebhookError('webhook-signature fits none of the secrets');
}

function read(headers: ReceivedHeaders, name: string): string {
  const all = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  // Some servers keep the names as they were sent.
  const [, value = ''] = all.find(([each]) => each.toLowerCase() === name) ?? [];
  return String(value);
}

function importKey(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length < SHORTEST_SECRET)
    throw new TypeError('A webhook secret begins with whsec_ and has at least 24 bytes in base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
