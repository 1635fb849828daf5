import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { isOurWebhook } from '../../functions/canary/accept-webhook.ts';
import { HourlyTurn, runCanary } from '../../functions/canary/run-canary.ts';
import { keySetSchema } from '../../functions/webhooks/signature.ts';
import { call, newWorkspace, stage } from './stage.ts';

const events: string[] = [];
/** Stands in for the function's address, because the emulator gives functions none. */
const receiver = createServer(async (request, response) => {
  const body = await text(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  );
  const { body: set } = await call('GET', '/.well-known/webhooks/jwks.json');
  const isOurs = isOurWebhook(headers, body, v.parse(keySetSchema, set), new Date());
  if (isOurs) events.push(JSON.parse(body).type);
  response.writeHead(isOurs ? 204 : 401).end();
});
beforeAll(() => new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening)));
afterAll(() => void receiver.close());

test('the canary succeeds on a working stage, receives its webhook and leaves nothing behind', async () => {
  const { key } = await newWorkspace();
  const { port } = receiver.address() as AddressInfo;
  await runCanary({
    baseUrl: stage.baseUrl,
    key,
    fetch,
    largeUploads: new HourlyTurn(),
    receiver: `http://127.0.0.1:${port}/`,
    deadline: new Date(Date.now() + 50_000),
    now: () => new Date(),
    pause: wait,
  });
  expect(events).toEqual(['video.generation.completed']);
  for (const path of ['/files', '/videos']) {
    expect((await call('GET', path, { key })).body.data).toEqual([]);
  }
});
