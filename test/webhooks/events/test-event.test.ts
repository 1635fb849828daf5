import { expect, test } from '@jest/globals';
import { expiryAfter, newEvent, testEvent } from '../../../functions/webhooks/events/event.ts';
import { START } from './event-fixture.ts';

test('an event that tests a receiver is one without a job, and says so in its body', () => {
  const body =
    '{"type":"webhook.test","timestamp":"2030-01-01T00:00:00.000Z","data":{"workspace_id":"ws-1"}}';
  const content = { id: 'msg_1', workspace_id: 'ws-1', type: 'webhook.test', body };
  expect(testEvent('msg_1', 'ws-1', undefined, START)).toEqual(newEvent(content, START));
  const callback_url = 'https://r.example/';
  expect(testEvent('msg_1', 'ws-1', callback_url, START)).toEqual(
    newEvent({ ...content, callback_url }, START),
  );
});

test('a new event is due at once, has its place by time and id, and is kept for 30 days', () => {
  const now = new Date('2030-01-01T00:00:00.999Z');
  expect(newEvent({ id: 'msg_1', workspace_id: 'ws-1', type: 't', body: '{}' }, now)).toEqual({
    id: 'msg_1',
    workspace_id: 'ws-1',
    type: 't',
    body: '{}',
    status: 'pending',
    attempts: 0,
    chain_start: 0,
    is_redelivery: false,
    refusals: 0,
    waits: 0,
    lease_until: 0,
    due_at: now.getTime(),
    history: [],
    created_at: '2030-01-01T00:00:00.999Z',
    place: '2030-01-01T00:00:00.999Z~msg_1',
    expires_at: START.getTime() / 1000 + 30 * 86_400,
  });
  expect(expiryAfter(now)).toBe(START.getTime() / 1000 + 30 * 86_400);
});
