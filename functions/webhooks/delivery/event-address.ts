import type { WebhookEvent } from '../events/event.ts';
import type { WebhookSettings } from '../settings/webhook-settings.ts';

/** Where an event goes: the job's own address, or the workspace's default while that is not disabled. */
export function addressOf(
  { callback_url: own }: Pick<WebhookEvent, 'callback_url'>,
  { default_callback_url: byDefault, disabled }: WebhookSettings,
): string | null {
  return own ?? (disabled === null ? byDefault : null);
}
