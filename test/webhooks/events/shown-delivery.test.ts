import { describe, expect, test } from '@jest/globals';
import { describeDelivery } from '../../../functions/webhooks/events/shown-delivery.ts';
import { anEvent, START } from './event-fixture.ts';

const history = [{ at: START.toISOString(), attempt: 1, outcome: '5xx', milliseconds: 7 }];

describe('an event as the API shows it', () => {
  test('has its next attempt while it is pending, and the host of its own address only', () => {
    const event = anEvent({ attempts: 12, chain_start: 11, is_redelivery: true, history });
    expect(describeDelivery({ ...event, callback_url: 'https://r.example:8443/hook?token=secret' })).toEqual({
      id: event.id,
      type: 'video.generation.completed',
      job_id: event.job_id,
      status: 'pending',
      host: 'r.example:8443',
      created_at: START.toISOString(),
      redelivery: true,
      next_attempt: 2,
      next_attempt_at: START.toISOString(),
      attempts: 12,
      history,
      body: event.body,
    });
  });

  test('has no next attempt once it has ended, and no host without an own address', () => {
    const { callback_url: _, ...event } = anEvent({ status: 'delivered', attempts: 1 });
    expect(describeDelivery(event)).toMatchObject({ next_attempt: null, next_attempt_at: null, host: null });
  });
});
