import { createHmac, type KeyObject, sign } from 'node:crypto';

export interface SignedContent {
  /** The same for every attempt of one event. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  /** Exactly the text that is sent. */
  readonly body: string;
}

/**
 * The headers of the Standard Webhooks specification. All signatures are over `id.timestamp.body`: an HMAC-SHA-256 for
 * each current secret, so that receivers can verify with either during a rotation, and an Ed25519 signature with the
 * deployment's key. That comes last, because many receivers know only the first kind, and skip what they do not know.
 */
export function signatureHeaders(
  { id, timestamp, body }: SignedContent,
  secrets: readonly Uint8Array[],
  ed25519?: KeyObject,
): Record<string, string> {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  if (ed25519 !== undefined) signatures.push(`v1a,${sign(null, content, ed25519).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
