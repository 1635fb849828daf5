import { describe, expect, test } from '@jest/globals';
import { geminiVeo as provider } from '../../../functions/videos/providers/gemini-veo.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const job = aProviderJob({ upstreamModel: 'veo-3.1-generate-preview', durationSeconds: 8 });
const SUBMIT = 'POST /v1beta/models/veo-3.1-generate-preview:predictLongRunning';
const name = 'models/veo-3.1-generate-preview/operations/op1';
const POLL = `GET /v1beta/${name}`;
const context = (server: WireServer) => server.context('/v1beta');
const inline = (url: string) => ({
  bytesBase64Encoded: Buffer.from(`bytes of ${url}`).toString('base64'),
  mimeType: 'image/png',
});

describe('an operation', () => {
  test('is started and polled until it is done', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { name }));
    const { ref } = await provider.submit({ ...job, options: { negativePrompt: 'rain' } }, context(server));
    expect(ref).toEqual({ name });
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe(KEY);
    expect(server.lastJson()).toEqual({
      instances: [{ prompt: 'A red fox' }],
      parameters: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, negativePrompt: 'rain' },
    });
    const uri = `${server.origin}/v1beta/files/f1:download?alt=media`;
    server.on(
      POLL,
      json(200, { name }),
      json(200, { name, done: false, metadata: {} }),
      json(200, {
        name,
        done: true,
        response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
      }),
    );
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'running', retryAfterSeconds: 10 });
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'running', retryAfterSeconds: 10 });
    expect(await provider.poll(ref, context(server))).toEqual({
      state: 'succeeded',
      outputs: [{ kind: 'url', url: uri, headers: { 'x-goog-api-key': KEY } }],
    });
  });

  test('carries its images as bytes', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { name }));
    const frameImages = [
      { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
      { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
    ];
    await provider.submit({ ...job, frameImages }, context(server));
    expect(server.lastJson()).toMatchObject({
      instances: [{ image: inline('https://a.example/1.png'), lastFrame: inline('https://a.example/2.png') }],
    });
    const inputReferences = [{ kind: 'image' as const, url: 'https://a.example/3.png' }];
    await provider.submit({ ...job, inputReferences }, context(server));
    expect(server.lastJson()).toMatchObject({
      instances: [
        { referenceImages: [{ image: inline('https://a.example/3.png'), referenceType: 'asset' }] },
      ],
    });
  });

  test.each([['https://evil.example/op'], ['../../secrets'], ['operations/op1'], [7]])(
    'named %p is refused',
    async (odd) => {
      await using server = await WireServer.open();
      server.on(SUBMIT, json(200, { name: odd }));
      await expect(provider.submit(job, context(server))).rejects.toMatchObject({ kind: 'ambiguous' });
    },
  );

  test.each([
    ['an error', { error: { code: 13, message: 'Internal' } }, { state: 'failed', reason: 'Internal' }],
    [
      'an error of safety',
      { error: { code: 3, message: 'Blocked by safety settings' } },
      { state: 'failed', reason: 'Blocked by safety settings', moderated: true },
    ],
    [
      'its samples filtered',
      {
        response: {
          generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Shows a celebrity'] },
        },
      },
      { state: 'failed', reason: 'Shows a celebrity', moderated: true },
    ],
    [
      'its samples filtered, one level up and without a reason',
      { response: { raiMediaFilteredCount: 1, generatedSamples: [] } },
      { state: 'failed', reason: 'The provider withheld the video', moderated: true },
    ],
    ['nothing', {}, { state: 'succeeded', outputs: [] }],
    [
      'a sample without an address',
      { response: { generatedSamples: [{}] } },
      { state: 'succeeded', outputs: [] },
    ],
    [
      'a sample one level up, on another host',
      { response: { generatedSamples: [{ video: { uri: 'https://cdn.elsewhere.com/v' } }] } },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://cdn.elsewhere.com/v' }] },
    ],
  ])('may be done with %s', async (_, rest, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { name, done: true, ...rest }));
    expect(await provider.poll({ name }, context(server))).toEqual(state);
  });

  test('with another name is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { name: `${name}2`, done: true }));
    await expect(provider.poll({ name }, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test.each([
  [400, { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' }, 'credential'],
  [400, { message: 'This API is only accessible to billed users at this time.' }, 'credential'],
  [400, { code: 400, message: 'Violates usage guidelines', status: 'INVALID_ARGUMENT' }, 'moderated'],
  [400, { code: 400, message: 'Bad aspect ratio', status: 'INVALID_ARGUMENT' }, 'refused'],
  [429, { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' }, 'rate_limited'],
])('a submit answered with %i %j is %s', async (status, error, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { error }));
  await expect(provider.submit(job, context(server))).rejects.toMatchObject({ kind });
});
