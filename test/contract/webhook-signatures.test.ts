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

test('a delivery verifies with every public package and every secret whose time has not come', async () => {
  const { slug, key } = await newWorkspace();
  const rotate = async (hours: number): Promise<string> =>
    (
      await call('POST', `/workspaces/${slug}/webhook-secret/rotate`, {
        key: stage.managementKey,
        json: { overlap_hours: hours },
      })
    ).body.secret;

  const secrets = [await rotate(0)];
  const deliveries = [await deliveryOf(key)];
  for (const hours of [24, 1, 72, 24, 0]) {
    secrets.push(await rotate(hours));
    deliveries.push(await deliveryOf(key));
  }
  const acceptances = (delivery: Delivery) =>
    Promise.all(secrets.map(async (secret) => (await acceptedBy(delivery, secret)).length === ALL.length));
  expect(await Promise.all(deliveries.map(acceptances))).toEqual([
    [true, false, false, false, false, false],
    [true, true, false, false, false, false],
    [true, true, true, false, false, false],
    [true, true, true, true, false, false],
    [true, true, true, true, true, false],
    [true, true, true, true, false, true],
  ]);
});

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
});
