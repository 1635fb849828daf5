import { defined } from '../../defined.ts';
import { newEvent, type WebhookEvent } from './event.ts';

/** An event without a job, to test that a receiver takes and verifies what we send. */
export function testEvent(
  id: string,
  workspaceId: string,
  callbackUrl: string | undefined,
  now: Date,
): WebhookEvent {
  const type = 'webhook.test';
  const content = {
    id,
    workspace_id: workspaceId,
    type,
    body: JSON.stringify({ type, timestamp: now.toISOString(), data: { workspace_id: workspaceId } }),
    ...defined({ callback_url: callbackUrl }),
  };
  return newEvent(content, now);
}
