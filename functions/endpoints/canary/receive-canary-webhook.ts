import * as v from 'valibot';
import { isOurWebhook } from '../../canary/accept-webhook.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { keySetSchema } from '../../webhooks/signature.ts';

const keys = setting('webhookKeys', v.pipe(v.string(), v.parseJson(), keySetSchema));

/** The event of a function that is called by its own address. */
const requestSchema = v.object({
  headers: v.record(v.string(), v.optional(v.string())),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/** The canary's receiver. Anybody may call it: it has no rights, and accepts a signed webhook only. */
export const handler = async (event: unknown): Promise<{ statusCode: number }> => {
  const { headers, body, isBase64Encoded } = v.parse(requestSchema, event);
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return { statusCode: isOurWebhook(headers, text, keys, systemClock()) ? 204 : 401 };
};
