import * as v from 'valibot';
import { instant, url } from '../../http/answer-schemas.ts';

/** A workspace's webhook as answers show it. */
export const shownWebhookSchema = v.object({
  default_callback_url: v.nullable(url),
  disabled: v.pipe(
    v.nullable(v.object({ reason: v.picklist(['gone', 'failing']), at: instant })),
    v.description('Since when and why nothing is sent to the default address'),
  ),
  signing_secrets: v.pipe(
    v.array(v.object({ name: v.string(), expires_at: v.nullable(instant) })),
    v.description('The names of the secrets that sign, never the secrets'),
  ),
});

export const rotatedSecretSchema = v.object({
  data: shownWebhookSchema,
  secret: v.pipe(v.string(), v.description('The secret that signs now')),
});
