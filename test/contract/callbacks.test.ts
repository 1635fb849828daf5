import { expect, test } from '@jest/globals';
import { callbackTokenOf } from './aws.ts';
import { call, newWorkspace } from './stage.ts';
import { startedVideo } from './until.ts';

const VIDEO = {
  model: 'sandbox/clip-1',
  prompt: 'A fox',
  duration: 1,
  provider: { options: { sandbox: { latency_s: 3600 } } },
};
const calledBack = (token: string, json: object = { status: 'OK' }) =>
  call('POST', `/callbacks/${token}`, { json });

test('a callback is received without a key, and leaves the job to its provider', async () => {
  const { key } = await newWorkspace();
  const { id } = (await call('POST', '/videos', { key, json: VIDEO })).body;
  await startedVideo(id, key);
  const token = await callbackTokenOf({ job: id, submit: 1, provider: 'sandbox' });
  for (let i = 0; i < 5; i++) {
    expect(
      await calledBack(token, { status: 'OK', payload: { video: { url: 'https://evil.example' } } }),
    ).toMatchObject({
      status: 200,
      body: { received: true },
    });
  }
  expect((await call('GET', `/videos/${id}`, { key })).body).toMatchObject({ status: 'in_progress' });
  await call('POST', `/videos/${id}/cancel`, { key });
  expect(await calledBack(token)).toMatchObject({ status: 200, body: { received: true } });
});

test('an address that the stage has not signed is not there', async () => {
  const token = await callbackTokenOf({
    job: 'vid_01jg000000000000000000000a',
    submit: 1,
    provider: 'sandbox',
  });
  for (const forged of [`${token.slice(0, -8)}AAAAAAAA`, token.slice(1), 'x', 'a.b']) {
    expect(await calledBack(forged)).toMatchObject({
      status: 404,
      body: { error: { message: 'No such callback' } },
    });
  }
});

test('a body is read up to 64 KiB', async () => {
  const token = await callbackTokenOf({
    job: 'vid_01jg000000000000000000000a',
    submit: 1,
    provider: 'sandbox',
  });
  expect((await calledBack(token, { logs: 'a'.repeat(60_000) })).status).toBe(200);
  expect((await calledBack(token, { logs: 'a'.repeat(70_000) })).status).toBe(413);
});
