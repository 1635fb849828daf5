import { describe, expect, test } from '@jest/globals';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { aProviderJob, WireServer } from './wire-server.ts';

const callbackUrl = 'https://api.example/api/v1/callbacks/token';

/** The parts of a submit that are there only because of a callback. */
async function addedTo(name: string, dialect: object) {
  await using server = await WireServer.open();
  const job = aProviderJob({ dialect: { ...dialect } });
  const submit = async (change: object) => {
    await providerOf(name)
      .submit({ ...job, ...change }, server.context(''))
      .catch(() => undefined);
    const { url = '', body } = server.requests.at(-1) ?? {};
    return { url, body: JSON.parse(body ?? '{}') };
  };
  return { without: await submit({}), with: await submit({ callbackUrl }) };
}

describe('a submit names where to call back', () => {
  test('at fal, in its address', async () => {
    const asked = await addedTo('fal', {});
    expect(asked.with.url).toBe(`${asked.without.url}?fal_webhook=${encodeURIComponent(callbackUrl)}`);
    expect(asked.with.body).toEqual(asked.without.body);
  });

  test.each([
    ['replicate', {}, { webhook: callbackUrl, webhook_events_filter: ['completed'] }],
    ['byteplus', {}, { callback_url: callbackUrl }],
    ['kling', { mode: 'std', sound: true }, { callback_url: callbackUrl }],
  ] as const)('at %s, in its body', async (name, dialect, fields) => {
    const asked = await addedTo(name, dialect);
    expect(asked.with.body).toEqual({ ...asked.without.body, ...fields });
  });

  test('at Kling’s models with an address of their own, among the options', async () => {
    const { body } = (await addedTo('kling', { wire: 'by-path', sound: true })).with;
    expect(body.options).toEqual({ external_task_id: aProviderJob().id, callback_url: callbackUrl });
  });
});
