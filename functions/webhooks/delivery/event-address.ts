import type { WebhookEvent } from '../events/event.ts';
import type { WebhookSettings } from '../settings/webhook-settings.ts';

/** The address of an event: the job's own, or else the workspace's default, unless that is disabled. */
export function addressOf(
  { callback_url: own }: Pick<WebhookEvent, 'callback_url'>,
  { default_callback_url: byDefault, disabled }: WebhookSettings,
): string | null {
  return own ?? (disabled === null ? byDefault : null);
}
