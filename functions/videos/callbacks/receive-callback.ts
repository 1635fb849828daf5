import { createPublicKey, hash, verify } from 'node:crypto';
import * as v from 'valibot';
import type { Headers } from '../../http/call.ts';
import { PayloadTooLarge, Unauthenticated } from '../../http/errors.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import type { Log } from '../../telemetry/log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { CalledSubmit } from './callback-token.ts';

/** More than any vendor sends: the largest body describes one task and its results. */
const LARGEST_BODY = 64 * 1024;

/** How many callbacks of one submit have an effect. A vendor sends one when the work has ended, and repeats it. */
const MOST_CALLBACKS = 3;

export interface CallbackPorts {
  readonly jobs: Pick<JobStore, 'noteCallback'>;
  readonly polls: JobQueue;
  /** The public keys with which a provider signs; none where it does not sign, or they are not known. */
  readonly keysOf: (provider: string) => readonly string[];
  /** Counts a callback that its provider has not signed. */
  readonly countRefused: (provider: string) => void;
  readonly now: () => Date;
  readonly log: Pick<Log, 'info'>;
}

/**
 * What a vendor's callback does: the job is asked about now. It is a hint and never a truth, so nothing in its body
 * reaches the job, and one that is forged, repeated or lost changes only when the provider is asked.
 * @throws PayloadTooLarge; Unauthenticated when the vendor signs, and has not signed this
 */
export async function receiveCallback(
  { job, submit, provider }: CalledSubmit,
  { headers, body }: { readonly headers: Headers; readonly body: Uint8Array },
  { jobs, polls, keysOf, countRefused, now, log }: CallbackPorts,
): Promise<void> {
  if (body.byteLength > LARGEST_BODY)
    throw new PayloadTooLarge(`The body must be at most ${LARGEST_BODY} bytes`);
  const keys = keysOf(provider);
  if (keys.length > 0 && !isSignedCallback(headers, body, keys, now())) {
    countRefused(provider);
    throw new Unauthenticated('The signature or the timestamp of the callback is missing or invalid');
  }
  if (saysUnderWay(body)) return;
  const isOfUse = await jobs.noteCallback(job, submit, MOST_CALLBACKS);
  log.info('callback received', { job_id: job, provider, is_of_use: isOfUse });
  // Versions that do not know hints drop a message of a link that has gone by.
  if (isOfUse) await polls.send({ v: 1, job_id: job, seq: 0, hint: submit }, job, 0);
}

/** The words of the vendors that also tell when work is queued and when it begins. */
const UNDER_WAY = ['queued', 'running', 'submitted', 'processing', 'starting'];

const statusSchema = v.object({
  status: v.fallback(v.optional(v.string()), undefined),
  task_status: v.fallback(v.optional(v.string()), undefined),
});

/** Whether it certainly does not tell of an end. What cannot be read may tell of one. */
function saysUnderWay(body: Uint8Array): boolean {
  try {
    const told = v.parse(statusSchema, parseJsonBody(body, 'application/json', LARGEST_BODY));
    return UNDER_WAY.includes(told.status ?? told.task_status ?? '');
  } catch {
    return false;
  }
}

/** fal, "Webhooks": a timestamp may differ from the clock by five minutes. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether a body is signed as fal signs it: Ed25519 over the ids, the time and the body's SHA-256, a line each, as hex.
 * Of several keys any may have signed, because fal publishes the next one before it signs with it.
 * @param keys the `x` of the keys in fal's JSON Web Key Set
 */
export function isSignedCallback(
  headers: Headers,
  body: Uint8Array,
  keys: readonly string[],
  now: Date,
): boolean {
  const { 'x-fal-webhook-request-id': id, 'x-fal-webhook-user-id': user } = headers;
  const { 'x-fal-webhook-timestamp': timestamp, 'x-fal-webhook-signature': signature = '' } = headers;
  if (!(Math.abs(Number(timestamp) - now.getTime() / 1000) <= TOLERANCE_SECONDS)) return false;
  const content = Buffer.from([id, user, timestamp, hash('sha256', body)].join('\n'));
  return keys.some((x) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, content, key, Buffer.from(signature, 'hex'));
  });
}
