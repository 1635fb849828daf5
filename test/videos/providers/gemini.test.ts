import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import { gemini as provider } from '../../../functions/videos/providers/gemini.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/interactions';
const POLL = 'GET /v1/interactions/i1?include_input=false';
const ref = { id: 'i1' };
const context = (server: WireServer) => server.context('/v1');
const image = (url: string) => ({
  type: 'image',
  data: Buffer.from(`bytes of ${url}`).toString('base64'),
  mime_type: 'image/png',
});
const made = (uri: string, more: object = {}) => ({
  id: 'i1',
  status: 'completed',
  steps: [{ type: 'thought' }, { type: 'model_output', content: [{ type: 'text' }, { type: 'video', uri }] }],
  ...more,
});
const videoTokens = (tokens: number) => ({
  usage: {
    total_input_tokens: 1000,
    total_thought_tokens: 200,
    output_tokens_by_modality: [
      { modality: 'text', tokens: 9 },
      { modality: 'video', tokens },
    ],
  },
});

const TEXT_PRICES = { input: 1.5, thought: 9, held: micros(80_000) };

describe('an interaction', () => {
  test('is begun in the background, polled until it is done, and billed by its video’s tokens', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'i1', status: 'queued' }));
    const tariff = { ...aProviderJob().tariff, token: 17.5, text: TEXT_PRICES };
    const submission = await provider.submit(aProviderJob({ resolution: '4K', tariff }), context(server));
    expect(submission).toEqual({ ref: { id: 'i1', token: 17.5, text: TEXT_PRICES }, upstreamId: 'i1' });
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe(KEY);
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      background: true,
      input: [{ type: 'text', text: 'A red fox' }],
      response_format: {
        type: 'video',
        delivery: 'uri',
        aspect_ratio: '16:9',
        resolution: '4k',
        duration: '5s',
      },
    });
    const uri = `${server.origin}/v1/files/f1:download`;
    server.on(
      POLL,
      json(200, { id: 'i1', status: 'queued' }),
      json(200, { id: 'i1', status: 'in_progress' }),
      json(200, { id: 'i1', status: 'musing' }),
      json(200, made(uri, videoTokens(28_960))),
    );
    const states = [];
    for (let poll = 0; poll < 4; poll++) states.push(await provider.poll(submission.ref, context(server)));
    expect(states).toEqual([
      { state: 'queued' },
      { state: 'running', retryAfterSeconds: 10 },
      { state: 'running', retryAfterSeconds: 10 },
      {
        state: 'succeeded',
        outputs: [{ kind: 'url', url: `${uri}?alt=media`, headers: { 'x-goog-api-key': KEY } }],
        costMicros: 506_800 + 1500 + 1800,
      },
    ]);
    const old = { id: 'i1', token: 17.5 };
    expect(await provider.poll(old, context(server))).toMatchObject({ costMicros: 506_800 });
  });

  test.each([
    [['first_frame'], [], 'image_to_video', ['https://a.example/first_frame']],
    [
      ['last_frame', 'first_frame'],
      [],
      undefined,
      ['https://a.example/first_frame', 'https://a.example/last_frame'],
    ],
    [[], ['1', '2'], 'reference_to_video', ['https://a.example/1', 'https://a.example/2']],
  ] as const)(
    'with frames %j and references %j carries their bytes',
    async (frames, references, task, urls) => {
      await using server = await WireServer.open();
      server.on(SUBMIT, json(200, { id: 'i1' }));
      const job = aProviderJob({
        frameImages: frames.map((frameType) => ({ frameType, url: `https://a.example/${frameType}` })),
        inputReferences: references.map((name) => ({
          kind: 'image' as const,
          url: `https://a.example/${name}`,
        })),
      });
      await provider.submit(job, context(server));
      expect(server.lastJson()).toMatchObject({
        input: [...urls.map(image), { type: 'text', text: 'A red fox' }],
        ...(task === undefined ? {} : { generation_config: { video_config: { task } } }),
      });
      if (task === undefined) expect(server.lastJson()).not.toHaveProperty('generation_config');
    },
  );

  test.each([
    [
      { status: 'completed', steps: [] },
      { state: 'failed', reason: 'The provider withheld the video', moderated: true },
    ],
    [
      { status: 'completed', ...videoTokens(5) },
      { state: 'succeeded', outputs: [] },
    ],
    [
      { status: 'failed', errors: [{ code: 'PROHIBITED_CONTENT', message: 'No' }] },
      { state: 'failed', reason: 'No', moderated: true },
    ],
    [
      { status: 'failed', errors: [{ message: 'It broke' }] },
      { state: 'failed', reason: 'It broke' },
    ],
    [{ status: 'incomplete' }, { state: 'failed', reason: 'incomplete' }],
    [{ status: 'budget_exceeded' }, { state: 'failed', reason: 'budget_exceeded' }],
    [{ status: 'cancelled' }, { state: 'cancelled', reason: 'The provider reports the job as cancelled' }],
  ])('that is %j ends so', async (interaction, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'i1', ...interaction }));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });

  test.each(['https://storage.example/v.mp4', 'no address'])(
    'sends its key nowhere else: %s',
    async (uri) => {
      await using server = await WireServer.open();
      server.on(POLL, json(200, made(uri)));
      expect(await provider.poll(ref, context(server))).toEqual({
        state: 'succeeded',
        outputs: [{ kind: 'url', url: uri }],
      });
    },
  );

  test('is not given up for a 400, which may pass', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(400, { error: { message: 'Invalid interaction name' } }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('of another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { ...made('https://v'), id: 'i2' }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('can be cancelled while it runs', async () => {
    await using server = await WireServer.open();
    server.on(`POST /v1/interactions/i1/cancel`, json(200, {}), json(400, {}), json(503, {}));
    const cancel = () => provider.cancel?.(ref, context(server));
    expect([await cancel(), await cancel()]).toEqual(['cancelled', 'not_possible']);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

test.each([
  [400, { message: 'Blocked: SAFETY' }, 'moderated'],
  [400, { message: 'API key not valid' }, 'credential'],
  [400, { message: 'This API is only accessible to billed users at this time.' }, 'credential'],
  [400, { message: 'duration must be a string' }, 'refused'],
  [429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota' }, 'rate_limited'],
])('a submit answered with %i %j is %s', async (status, error, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { error }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});
