import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WireNames } from '../../functions/http/compatibility.ts';
import { deliverySigner, encodeSecret } from '../../functions/webhooks/signature.ts';
import { anEvent } from './events/event-fixture.ts';

const NOW = 1_800_000_000;
const NEW = new Uint8Array(32).fill(1);
const OLD = new Uint8Array(32).fill(2);
const seed = async () => new Uint8Array(32).fill(3);

async function sign(wireNames: WireNames, event = anEvent(), secrets = [NEW, OLD]) {
  return (await deliverySigner(secrets, seed, wireNames))(event, NOW);
}

/** Checks a signature like a receiver for OpenRouter: an HMAC of `t,body` with the secret's text. */
function openRouterAccepts(header: string, body: string, secret: string): boolean {
  const { t, v1 } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${t},${body}`).digest('hex') === v1;
}

describe('a delivery', () => {
  test('is signed by the newest secret first, and by the deployment last', async () => {
    const headers = await sign('native');
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const kinds = headers['webhook-signature']!.split(' ').map((entry) => entry.split(',')[0]);
    expect(kinds).toEqual(['v1', 'v1', 'v1a']);
    expect(headers['webhook-signature']!.split(' ')[0]).toBe(
      (await sign('native', anEvent(), [NEW]))['webhook-signature']!.split(' ')[0],
    );
  });

  test('has its own id, unless receivers know it by another', async () => {
    const known = (event: ReturnType<typeof anEvent>) => sign('native', event);
    expect((await known(anEvent()))['webhook-id']).toBe(anEvent().id);
    expect((await known(anEvent({ webhook_id: 'msg_2' })))['webhook-id']).toBe('msg_2');
    expect((await known(anEvent({ webhook_id: 'msg_2' })))['webhook-signature']).not.toBe(
      (await known(anEvent()))['webhook-signature'],
    );
  });

  test('carries the headers of the other wire names beside ours, which stay unchanged', async () => {
    const headers = await sign('openrouter');
    expect(headers).toEqual({
      ...(await sign('native')),
      'x-openrouter-signature': expect.stringMatching(/^t=1800000000,v1=[0-9a-f]{64}$/),
      'x-openrouter-idempotency-key': `${anEvent().job_id}-completed`,
    });
  });

  test.each(['completed', 'failed', 'cancelled', 'expired'])(
    'of a job that %s has an idempotency key that says so',
    async (status) => {
      const event = { ...anEvent(), job_id: 'vid_1', type: `video.generation.${status}` };
      const headers = await sign('openrouter', event);
      expect(headers['x-openrouter-idempotency-key']).toBe(`vid_1-${status}`);
    },
  );

  test('of the new end of a released job has an idempotency key that the old end had not', async () => {
    const headers = await sign('openrouter', anEvent({ webhook_id: 'msg_2' }));
    expect(headers['x-openrouter-idempotency-key']).toBe('msg_2-completed');
  });

  test('without a job has an idempotency key made from its own id', async () => {
    const { job_id: _, ...event } = { ...anEvent(), id: 'msg_1', type: 'webhook.test' };
    const headers = await sign('openrouter', event);
    expect(headers['x-openrouter-idempotency-key']).toBe('msg_1-test');
  });

  test('has headers that its receivers verify with their new secret', async () => {
    const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(fc.json({ stringUnit: 'grapheme' }), secrets, async (body, secret) => {
        const headers = await sign('openrouter', { ...anEvent(), body }, [secret, OLD]);
        const header = headers['x-openrouter-signature']!;
        expect(openRouterAccepts(header, body, encodeSecret(secret))).toBe(true);
        expect(openRouterAccepts(header, body, encodeSecret(OLD))).toBe(false);
        expect(openRouterAccepts(header, `${body} `, encodeSecret(secret))).toBe(false);
      }),
    );
  });
});
