import { expect, test } from '@jest/globals';
import { verifyWebhookEd25519 } from '../../docs/webhooks/verify-ed25519.ts';
import { openReceiver } from '../../local/demo/receiver.ts';
import { ALL, acceptedBy, type Delivery } from '../webhooks/public-verifiers.ts';
import { call, newWorkspace, stage } from './stage.ts';

/** Runs a job and returns the delivery of its event. */
async function deliveryOf(key: string): Promise<Delivery> {
  const receiver = await openReceiver();
  await call('POST', '/videos', {
    key,
    json: {
      model: 'sandbox/clip-1',
      prompt: 'Füchse im Schnee 🦊',
      callback_url: receiver.url,
      provider: { options: { sandbox: { outcome: 'failed', latency_s: 0 } } },
    },
  });
  const { body, headers } = await receiver.delivery;
  receiver.close();
  return {
    body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}

test('a delivery verifies with every public package before, during and after a rotation', async () => {
  const { slug, key } = await newWorkspace();
  const rotate = async (hours: number): Promise<string> =>
    (
      await call('POST', `/workspaces/${slug}/webhook-secret/rotate`, {
        key: stage.managementKey,
        json: { overlap_hours: hours },
      })
    ).body.secret;

  const first = await rotate(0);
  const before = await deliveryOf(key);
  const second = await rotate(24);
  const during = await deliveryOf(key);
  const third = await rotate(0);
  const after = await deliveryOf(key);

  const acceptances = (delivery: Delivery) =>
    Promise.all([first, second, third].map((secret) => acceptedBy(delivery, secret)));
  expect(await acceptances(before)).toEqual([ALL, [], []]);
  expect(await acceptances(during)).toEqual([ALL, ALL, []]);
  expect(await acceptances(after)).toEqual([[], [], ALL]);
}, 60_000);

test('a delivery verifies with the published key, at the root of the host and below the API', async () => {
  const { origin } = new URL(stage.baseUrl);
  const atRoot = await fetch(`${origin}/.well-known/webhooks/jwks.json`);
  const below = await call('GET', '/.well-known/webhooks/jwks.json');
  expect(below.status).toBe(200);
  expect(below.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(await atRoot.json()).toEqual(below.body);

  const { id, key } = await newWorkspace();
  const { body, headers } = await deliveryOf(key);
  expect(verifyWebhookEd25519(Buffer.from(body), headers, below.body, id)).toEqual(JSON.parse(body));
}, 60_000);
