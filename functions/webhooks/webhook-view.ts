import type { WebhookSettings } from './webhook-settings.ts';

/** Webhook settings as the API shows them: secrets by name only. */
export function describeWebhook({
  default_callback_url,
  secret_version,
  previous_secret_until,
}: WebhookSettings) {
  return {
    default_callback_url,
    signing_secret: secretName(secret_version),
    previous_secret_valid_until:
      previous_secret_until === 0 ? null : new Date(previous_secret_until).toISOString(),
  };
}

export const secretName = (version: number): string => `secret-${version}`;
