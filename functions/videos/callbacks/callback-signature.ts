import { createPublicKey, hash, verify } from 'node:crypto';
import type { Headers } from '../../http/call.ts';

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
