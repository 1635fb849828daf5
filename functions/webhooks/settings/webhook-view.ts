import type { WebhookSettings } from './webhook-settings.ts';

/** Webhook settings as the API shows them: the names of the secrets only, the newest first. */
export function describeWebhook(settings: WebhookSettings, now: Date) {
  const { secret_version: version, previous_secret_until: until } = settings;
  const previous = { name: secretName(version - 1), expires_at: new Date(until).toISOString() };
  return {
    default_callback_url: settings.default_callback_url,
    /** Null, or since when and why nothing is sent to the default. */
    disabled: settings.disabled,
    signing_secrets: [
      { name: secretName(version), expires_at: null },
      ...(now.getTime() < until ? [previous] : []),
    ],
  };
}

const secretName = (version: number): string => `secret-${version}`;
