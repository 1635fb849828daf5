import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { openReceiver, verifyDelivery } from '../../local/demo/receiver.ts';
import { call, newWorkspace, stage } from './stage.ts';

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

test('npm run webhooks -- listen shows an event without an address, and forwards it', async () => {
  const { slug, key } = await newWorkspace();
  const receiver = await openReceiver();
  const listener = spawn(
    process.execPath,
    ['bin/genway.ts', 'listen', '--workspace', slug, '--forward', receiver.url],
    {
      env: { PATH: process.env.PATH, GENWAY_URL: stage.baseUrl, GENWAY_API_KEY: stage.managementKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  child = listener;
  const lines: AsyncIterator<string> = createInterface(listener.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => (await lines.next()).value;
  expect(await nextLine()).toContain(slug);
  const secret = String(/whsec_\S+/.exec(await nextLine()));

  const options = { sandbox: { outcome: 'failed', latency_s: 0 } };
  const submitted = await call('POST', '/videos', {
    key,
    json: { model: 'sandbox/clip-1', prompt: 'Füchse 🦊', provider: { options } },
  });
  const delivery = await receiver.delivery;
  receiver.close();
  expect(verifyDelivery(delivery, secret)).toMatchObject({
    type: 'video.generation.failed',
    data: { id: submitted.body.id },
  });
  expect(await nextLine()).toContain(`video.generation.failed  ${delivery.headers['webhook-id']}`);

  const closed = once(listener, 'close');
  listener.kill('SIGINT');
  expect((await closed)[0]).toBe(0);
});
