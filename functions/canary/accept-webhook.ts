import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** How much a clock and a queue may differ: Standard Webhooks, "Verifying webhook authenticity". */
const TOLERANCE_SECONDS = 300;

/** Whether this deployment has signed the delivery, by its public key, and just now. */
export function isOurWebhook(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  { keys }: { readonly keys: readonly JsonWebKey[] },
  now: Date,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Number(timestamp) - now.getTime() / 1000) <= TOLERANCE_SECONDS)) return false;
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const ours = signatures.split(' ').flatMap((one) => (one.startsWith('v1a,') ? [one.slice(4)] : []));
  return keys.some((jwk) => {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return ours.some((signature) => verify(null, content, key, Buffer.from(signature, 'base64')));
  });
}
