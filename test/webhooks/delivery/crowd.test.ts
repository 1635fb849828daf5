import { describe, expect, test } from '@jest/globals';
import { laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';
import { newEvent, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { START } from '../events/event-fixture.ts';
import { DeliveryFleet } from './delivery-fleet.ts';

/** The time that a receiver has for its answer. */
const HANG = 15_000;
let made = 0;

function eventFor(workspace: string, url: string): WebhookEvent {
  const id = `msg_${String(made++).padStart(26, '0')}`;
  const content = { id, workspace_id: workspace, type: 'webhook.test', body: '{}', callback_url: url };
  return newEvent(content, START);
}

const fleetOf = (functions: number) =>
  new DeliveryFleet({
    functions,
    limits: laneLimits(functions),
    hangMilliseconds: HANG,
    takes: (url) => (url.includes('hang') ? undefined : 100),
  });

describe.each([10, 50])('of %i deliverers', (functions) => {
  test('a workspace with twelve hosts that hang leaves enough for others', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 60; i++) fleet.add(eventFor('hanging', `https://hang-${i % 12}.example/`));
    fleet.add(eventFor('other', 'https://other.example/'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://other.example/')).toBeLessThanOrEqual(5);
  });

  test('a hanging path does not delay another workspace’s path on the same host', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 40; i++) fleet.add(eventFor('hanging', 'https://shared.example/hang'));
    fleet.add(eventFor('other', 'https://shared.example/other'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://shared.example/other')).toBeLessThanOrEqual(5);
  });

  test('an event that waits for a slot asks for it less and less often', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 200; i++) fleet.add(eventFor('slow', `https://hang.example/${i}`));
    await fleet.run(300);
    // If each event looked every 6 s, there would be 50 looks for each.
    expect(fleet.waits).toBeLessThan(200 * 15);
  });
});
