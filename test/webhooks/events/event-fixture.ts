import { newEvent, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';

export const START = new Date('2030-01-01T00:00:00Z');

/** An event with difficult content: non-ASCII letters, and a number that a double cannot hold. */
export const anEvent = (changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
  ...newEvent(
    {
      id: `msg_${'0'.repeat(26)}`,
      workspace_id: 'workspace-1',
      job_id: `vid_${'0'.repeat(26)}`,
      type: 'video.generation.completed',
      body: '{"type":"video.generation.completed","data":{"text":"Füchsin 🦊\u2028","n":12345678901234567890}}',
      callback_url: 'https://receiver.genway.dev/hook',
    },
    START,
  ),
  ...changes,
});
