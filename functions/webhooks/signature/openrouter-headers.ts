import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '../events/event.ts';
import { encodeSecret } from './secret.ts';

/**
 * The header that receivers made for OpenRouter expect, beside our own: `t=<unix s>,v1=<hex>`. The HMAC is over `<unix
 * s>,<body>`, and its key is the secret's text with its prefix. There is room for one signature, so during a rotation
 * only the new secret makes it.
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
