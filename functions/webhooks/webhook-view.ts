import type { WebhookSettings } from './webhook-settings.ts';

/** Webhook settings as the API shows them: secrets by name only. */
export function describeWebhook({
  default_callback_url,
  disabled,
  secret_version,
  previous_secret_until,
}: WebhookSettings) {
  return {
    default_callback_url,
    /** Null, or since when and why nothing is sent to the default. */
    disabled,
    signing_secret: secretName(secret_version),
    previous_secret_valid_until:
      previous_secret_until === 0 ? null : new Date(previous_secret_until).toISOString(),
  };
}

export const secretName = (version: number): string => `secret-${version}`;
