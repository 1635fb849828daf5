import { readAtMost } from '../../byte-streams.ts';
import { defined } from '../../defined.ts';
import { EgressRefused } from '../../egress/url-policy.ts';
import { retryAfter } from '../../upstream/reply.ts';
import { nextAttempt, type WebhookEvent } from '../events/event.ts';
import type { SignDelivery } from '../signature.ts';
import type { Answer, RequestFailure } from './judge-answer.ts';

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

export interface PostPorts {
  /** With a deadline over the whole exchange. */
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

interface Message {
  /** @default POST */
  readonly method?: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a receiver said beside its status. The body is undefined where it is longer than we read. */
export interface Reply {
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** Enough for any receiver that says more than it must; what is longer is not read. */
export const LONGEST_ANSWER = 64 * 1024;

/**
 * One request, and what came of it. An answer counts when it has ended, or is longer than we read.
 * @param aborts whether the receiver wants nothing more of this
 */
export async function postBody(
  url: string,
  { method = 'POST', headers, body }: Message,
  aborts: (reply: Reply) => boolean,
  ports: PostPorts,
): Promise<Answer> {
  const sentAt = ports.now();
  try {
    const response = await ports.fetch(url, { method, headers, body });
    const reply = { headers: response.headers, body: await readAtMost(response.body, LONGEST_ANSWER) };
    const asked = retryAfter(response.headers.get('retry-after'), sentAt);
    return {
      status: response.status,
      aborts: aborts(reply),
      ...defined({ retryAfterSeconds: asked }),
    };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** The names that OpenSSL and Node.js give to problems with a certificate or a handshake. */
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|PATH_LENGTH_)/;

/**
 * The class of a failed request. Nothing else of its error is kept: the text may tell about the inside of a network.
 */
export function failureOf(error: unknown): RequestFailure {
  // Judged by its members: an error of `fetch` need not be an `Error` of this realm.
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = causeOf(cause)) {
    if (cause instanceof EgressRefused) return 'address_refused';
    if ('name' in cause && cause.name === 'TimeoutError') return 'timed_out';
    if (!('code' in cause) || typeof cause.code !== 'string') continue;
    if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timed_out';
    if (TLS_CODES.test(cause.code)) return 'tls_failed';
  }
  return 'connection_failed';
}

const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined);
