import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** The same for every attempt at one event. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  /** The very text that is sent. */
  readonly body: string;
}

/**
 * The headers of the Standard Webhooks specification: HMAC-SHA-256 over `id.timestamp.body`, once for
 * each secret that is good now, so that receivers verify with either during a rotation.
 */
export function signatureHeaders(
  content: SignedContent,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const { id, timestamp, body } = content;
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
