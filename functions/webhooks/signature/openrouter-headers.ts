import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '../events/event.ts';
import { encodeSecret } from './secret.ts';

/**
 * What receivers made for OpenRouter look for, beside our own headers: `t=<unix s>,v1=<hex>`, where the HMAC is
 * over `<unix s>,<body>` and the secret's text is the key as it is, prefix and all. It has room for one
 * signature, so during a rotation only the new secret makes it.
 */
export function openRouterHeaders(
  { id, job_id: jobId = id, type, body }: Pick<WebhookEvent, 'id' | 'job_id' | 'type' | 'body'>,
  timestamp: number,
  secret: Uint8Array,
): Record<string, string> {
  const digest = createHmac('sha256', encodeSecret(secret)).update(`${timestamp},${body}`).digest('hex');
  return {
    'x-openrouter-signature': `t=${timestamp},v1=${digest}`,
    'x-openrouter-idempotency-key': `${jobId}-${type.slice(type.lastIndexOf('.') + 1)}`,
  };
}
