import * as v from 'valibot';
import { instant, url } from '../../http/answer-schemas.ts';
import { signingAt } from './retiring-secrets.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** A workspace's webhook as answers show it. */
export const shownWebhookSchema = v.object({
  default_callback_url: v.nullable(url),
  disabled: v.pipe(
    v.nullable(v.object({ reason: v.picklist(['gone', 'failing']), at: instant })),
    v.description(
      'When and why deliveries to the default callback URL were disabled. Null if they are not disabled',
    ),
  ),
  signing_secrets: v.pipe(
    v.array(
      v.object({
        name: v.string(),
        expires_at: v.pipe(
          v.nullable(instant),
          v.description(
            'When Genway stops signing with the secret. Null for the newest secret, which expires only after you rotate it',
          ),
        ),
      }),
    ),
    v.description(
      'Names and expiry times of the active signing secrets, newest first. `POST /workspaces/{workspace}/webhook-secret/reveal` returns the newest secret',
    ),
  ),
});

export const rotatedSecretSchema = v.object({
  data: shownWebhookSchema,
  secret: v.pipe(v.string(), v.description('The newest signing secret')),
});

/** The newest secret comes first. */
export function describeWebhook(
  settings: WebhookSettings,
  now: Date,
): v.InferOutput<typeof shownWebhookSchema> {
  const retiring = signingAt(now, settings.retiring_secrets);
  return {
    default_callback_url: settings.default_callback_url,
    disabled: settings.disabled,
    signing_secrets: [
      { name: secretName(settings.secret_version), expires_at: null },
      ...retiring.map(({ version, until }) => ({
        name: secretName(version),
        expires_at: new Date(until).toISOString(),
      })),
    ],
  };
}

export const secretName = (version: number): string => `secret-${version}`;
