import { describe, expect, test } from '@jest/globals';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo } from './until.ts';

const key = stage.managementKey;
const submit = (await deployedFunctions(stage.aws)).get('submit-video')?.Environment?.Variables;
/** How long an instance keeps the endpoints after its read ended. */
const CACHE_MILLISECONDS = Number(submit?.ENDPOINT_CACHE_SECONDS) * 1000;
/** The other 5 seconds are for a read that began before the change. */
const EVERYBODY_KNOWS_MILLISECONDS = CACHE_MILLISECONDS + 5_000;
const LISTED_MILLISECONDS = CACHE_MILLISECONDS + 15_000;
const { id: _, ...row } = findOffer('sandbox/clip-1')!;
const price = (micros: number) => ({ silent: micros, with_audio: micros });

const put = (name: string, change: Record<string, unknown> = {}) =>
  call('PUT', `/endpoints/sandbox/${name}`, { key, json: { ...row, model: 'acme/fox', ...change } });

/** Waits until a function that had the old endpoints has read them again. */
async function untilListed(isSo: (model: { endpoints: { id: string }[] } | undefined) => boolean) {
  for (const deadline = Date.now() + LISTED_MILLISECONDS; Date.now() < deadline; ) {
    const { body } = await call('GET', '/videos/models');
    const model = body.data.find(({ id }: { id: string }) => id === 'acme/fox');
    if (isSo(model)) return model;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the list of models has not changed within ${LISTED_MILLISECONDS / 1000} seconds`);
}

describe('a model with two endpoints that were added to the running stage', () => {
  test('is listed, chosen by price, narrowed and pinned, and ends with its endpoints', async () => {
    const workspace = await newWorkspace();
    expect((await put('fox-dear', { price_per_second: price(30_000) })).status).toBe(200);
    expect((await put('fox-cheap', { price_per_second: price(20_000) })).status).toBe(200);
    const everybodyKnows = Date.now() + EVERYBODY_KNOWS_MILLISECONDS;
    const model = await untilListed((listed) => listed?.endpoints.length === 2);
    expect(model).toMatchObject({
      id: 'acme/fox',
      pricing_skus: { duration_seconds: '0.02' },
      defaults: { duration: 4, resolution: '480p', aspect_ratio: '16:9', generate_audio: true },
      endpoints: [
        {
          id: 'sandbox/fox-dear',
          provider: 'sandbox',
          price: { duration_seconds: '0.03' },
          status: 'available',
        },
        { id: 'sandbox/fox-cheap', price: { duration_seconds: '0.02' }, latency_p50: null, samples: 0 },
      ],
    });
    // Waits for all instances that other tests have warmed.
    await new Promise((resolve) => setTimeout(resolve, everybodyKnows - Date.now()));

    const submit = (change: Record<string, unknown>) =>
      call('POST', '/videos', {
        key: workspace.key,
        json: { model: 'acme/fox', prompt: 'A fox', duration: 1, ...change },
      });
    const submitted: { id: string; cost: number }[] = [];
    for (const [change, cost] of [
      [{}, 0.02],
      [{ provider: { order: ['sandbox/fox-dear'] } }, 0.03],
      [{ model: 'sandbox/fox-dear' }, 0.03],
    ] as const) {
      const { status, body } = await submit(change);
      expect([status, body.provider]).toEqual([202, 'sandbox']);
      submitted.push({ id: body.id, cost });
    }
    for (const { id, cost } of submitted) {
      expect((await endedVideo(id, workspace.key)).body).toMatchObject({
        status: 'completed',
        usage: { cost },
      });
    }
    for (const [change, message] of [
      [
        { provider: { only: ['sandbx'] } },
        /^provider\.only: there is no provider or endpoint "sandbx"; known: /,
      ],
      [
        { provider: { max_price: 0.019 } },
        /^provider\.max_price: .* cheapest endpoint, this job may cost \$0\.02$/,
      ],
      [
        { provider: { sort: 'speed' } },
        /^provider\.sort: must be one of price, throughput, latency, exacto$/,
      ],
      [{ duration: 99 }, /^duration: 99 is not supported by acme\/fox; supported: 1 to 15$/],
    ] as const) {
      const { status, body } = await submit(change);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }

    const changed = await call('PATCH', '/endpoints/sandbox/fox-dear', { key, json: { paused: true } });
    expect(changed.body.data).toMatchObject({ id: 'sandbox/fox-dear', paused: true, changed: true });
    await untilListed((listed) => listed?.endpoints.length === 1);
    for (const name of ['fox-dear', 'fox-cheap']) {
      expect((await call('DELETE', `/endpoints/sandbox/${name}`, { key })).status).toBe(200);
    }
    await untilListed((listed) => listed === undefined);
    expect((await call('DELETE', '/endpoints/sandbox/fox-dear', { key })).status).toBe(404);
  });

  test('is refused if its row is wrong, as in the file', async () => {
    for (const [change, message] of [
      [{ provider: 'fal' }, /^provider: fal is not configured on this stage; configured: sandbox\b/],
      [{ default_duration: 99 }, /^The endpoint must support its default_resolution, its default_duration/],
      [{ prise: 1 }, /^prise\b/],
    ] as const) {
      const { status, body } = await put('fox-wrong', change);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });
});
