import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { ulid } from 'ulid';
import { micros } from '../../../functions/money/micros.ts';
import {
  type Json,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderRef,
  type ProviderState,
} from '../../../functions/videos/providers/provider.ts';
import { sandboxProvider } from '../../../functions/videos/providers/sandbox.ts';
import { describeMp4, looksLikeMp4 } from '../../../functions/videos/results/mp4-structure.ts';
import { picturesOf } from '../../../functions/videos/stills/pictures.ts';
import { collect } from './sandbox/render.ts';

type Options = { readonly [key: string]: Json };

const START = new Date('2026-11-21T10:00:00.000Z');

const RED = [200, 40, 30];
const BLUE = [30, 60, 180];

const inputs: ProviderContext['inputs'] = {
  link: () => Promise.reject(new Error('the sandbox links to no inputs')),
  read: async (url) => {
    if (url === 'gw_file_gone') throw new ProviderError('refused', 'the file has been deleted');
    const halves = url.startsWith('gw_file_red') ? [RED, BLUE] : [BLUE, RED];
    return url.endsWith('_other')
      ? { mediaType: 'image/webp', bytes: new Uint8Array() }
      : { mediaType: 'image/jpeg', bytes: pictureOf(halves) };
  },
};

/** A picture of 320 x 180 pixels with a colour at the left and one at the right. */
function pictureOf(halves: readonly (readonly number[])[]): Uint8Array {
  const pixel = (at: number) => [...(halves[at % 320 < 160 ? 0 : 1] ?? []), 255];
  const data = Uint8Array.from({ length: 320 * 180 * 4 }, (_, at) => pixel(at >> 2)[at & 3] ?? 0);
  return jpeg.encode({ width: 320, height: 180, data }, 90).data;
}

/** A context whose clock is this many seconds after `START`. */
function contextAt(seconds: number, signal = new AbortController().signal): ProviderContext {
  return {
    now: () => new Date(START.getTime() + seconds * 1000),
    signal,
    settings: { credential: 'none' },
    inputs,
    fetch: () => Promise.reject(new Error('the sandbox needs no network')),
  };
}

function providerJob(change: Partial<ProviderJob> = {}): ProviderJob {
  return {
    id: `vid_${ulid(START.getTime()).toLowerCase()}`,
    upstreamModel: 'clip-1',
    prompt: 'A red fox in the snow',
    width: 128,
    height: 72,
    resolution: '360p',
    aspectRatio: '16:9',
    tariff: { second: micros(10_000), fixed: micros(0), least: micros(0) },
    dialect: {},
    durationSeconds: 4,
    seed: 7,
    generateAudio: false,
    frameImages: [],
    inputReferences: [],
    options: {},
    ...change,
  };
}

/** The ref of a job that was accepted at `START`, as a store returns it. */
async function acceptedRef(options: Options = {}, change: Partial<ProviderJob> = {}) {
  const { ref } = await sandboxProvider.submit(providerJob({ ...change, options }), contextAt(0));
  return JSON.parse(JSON.stringify(ref));
}

const refused = (message: string) =>
  expect.objectContaining({ name: 'ProviderError', kind: 'refused', message });

/** The bytes of a finished job's only output. */
function resultOf(state: ProviderState): Promise<Buffer> {
  if (state.state !== 'succeeded') throw new Error(`it is ${state.state}`);
  const [output, ...others] = state.outputs;
  if (output?.kind !== 'bytes' || others.length > 0) throw new Error('not one output of bytes');
  return collect(output.body);
}

async function poll(options: Options, seconds: number, durationSeconds = 4): Promise<ProviderState> {
  return sandboxProvider.poll(await acceptedRef(options, { durationSeconds }), contextAt(seconds));
}

describe('submit', () => {
  test('accepts work under a name made of the job id', async () => {
    const job = providerJob();
    const { ref, upstreamId } = await sandboxProvider.submit(job, contextAt(0));
    expect(upstreamId).toBe(`sandbox-${job.id}`);
    expect(ref).toEqual({
      accepted_at: START.toISOString(),
      model: 'clip-1',
      prompt: 'A red fox in the snow',
      width: 128,
      height: 72,
      duration_seconds: 4,
      seed: 7,
      generate_audio: false,
      plates: [],
      frames: {},
      options: {},
    });
  });

  test('takes the job id as a token: sent again, it is the same work', async () => {
    const job = providerJob();
    const first = await sandboxProvider.submit(job, contextAt(0));
    expect(await sandboxProvider.submit(job, contextAt(0))).toEqual(first);
    expect(sandboxProvider.manners.resubmit).toBe('token');
  });

  test('gives jobs without a seed a new one, and keeps a seed of 0', async () => {
    const { seed: _, ...unseeded } = providerJob();
    const seedOf = async (id: string) => {
      const { ref } = await sandboxProvider.submit({ ...unseeded, id }, contextAt(0));
      const { seed } = ref;
      return seed;
    };
    expect(await seedOf('vid_a')).toBe(await seedOf('vid_a'));
    expect(await seedOf('vid_a')).not.toBe(await seedOf('vid_b'));
    expect(await acceptedRef({}, { seed: 0 })).toMatchObject({ seed: 0 });
  });

  test('cuts long inputs to what can be drawn', async () => {
    const prompt = `  one\n\ttwo ${'🦊'.repeat(32_000)}`;
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
    const ref = await acceptedRef({}, { prompt, frameImages: [{ frameType: 'first_frame', url }] });
    expect(ref.prompt).toBe(`one two ${'🦊'.repeat(392)}`);
    expect(JSON.stringify(ref).length).toBeLessThan(3000);
  });

  test('reads our own inputs, as a provider would, and fetches no others', async () => {
    const withFrame = (url: string) =>
      sandboxProvider.submit(providerJob({ frameImages: [{ frameType: 'first_frame', url }] }), contextAt(0));
    await expect(withFrame('gw_file_gone')).rejects.toEqual(refused('the file has been deleted'));
    await expect(withFrame('https://cdn.example.com/gone.png')).resolves.toBeDefined();
  });

  test('draws the first frame, and changes to the last', async () => {
    const side = (picture: Buffer, x: number) => {
      const { width, height, data } = jpeg.decode(picture);
      return [...data.subarray(((height >> 2) * width + Math.round(x * width)) * 4).subarray(0, 3)];
    };
    const ref = await acceptedRef(
      {},
      {
        prompt: '',
        frameImages: [
          { frameType: 'first_frame', url: 'gw_file_red_and_blue' },
          { frameType: 'last_frame', url: 'gw_file_blue_and_red' },
        ],
      },
    );
    expect(ref.plates).toEqual([]);
    const film = await resultOf(await sandboxProvider.poll(ref, contextAt(10)));
    const made = await picturesOf(Readable.from([film]));
    const [first, last] = [Buffer.from(made?.thumbnail ?? []), Buffer.from(made?.lastFrame ?? [])];
    for (const [picture, x, colour] of [
      [first, 0.1, RED],
      [first, 0.9, BLUE],
      [last, 0.1, BLUE],
      [last, 0.9, RED],
    ] as const) {
      const seen = side(picture, x);
      for (const [i, value] of colour.entries()) expect(Math.abs((seen[i] ?? 0) - value)).toBeLessThan(25);
    }
  });

  test.each([
    ['one that cannot be read as a picture', 'gw_file_other', 'first_frame'],
    ['one of another host', 'https://cdn.example.com/fox.png', 'first_frame cdn.example.com'],
  ])('names on a plate %s', async (_, url, plate) => {
    const ref = await acceptedRef({}, { frameImages: [{ frameType: 'first_frame', url }] });
    expect(ref).toMatchObject({ plates: [plate], frames: {} });
  });

  test.each([
    [62, 64],
    [64, 62],
    [65, 64],
    [2562, 1080],
    [1082, 1082],
  ])('refuses %i x %i', async (width, height) => {
    const supported = 'an even width and height from 64 to 2560 pixels, the shorter side at most 1080';
    await expect(sandboxProvider.submit(providerJob({ width, height }), contextAt(0))).rejects.toEqual(
      refused(`size: ${width}x${height} is not supported by the sandbox; supported: ${supported}`),
    );
  });

  test.each([0, -1, 15.5, Number.NaN])('refuses %d seconds', async (durationSeconds) => {
    await expect(sandboxProvider.submit(providerJob({ durationSeconds }), contextAt(0))).rejects.toEqual(
      refused(`duration: ${durationSeconds} is not supported by the sandbox; supported: up to 15 s`),
    );
  });

  test.each([
    [64, 64, 15],
    [2560, 1080, 1],
    [1080, 2560, 0.5],
  ])('takes %i x %i for %d seconds', async (width, height, durationSeconds) => {
    await expect(acceptedRef({}, { width, height, durationSeconds })).resolves.toMatchObject({
      width,
      height,
    });
  });

  test('refuses directives it does not know', async () => {
    await expect(acceptedRef({ poll_errors: [418] })).rejects.toEqual(
      refused('provider.options.sandbox.poll_errors.0: must be one of 429, 500'),
    );
  });

  test.each<[Options, object]>([
    [{ submit: 'timeout_after_accept' }, { kind: 'ambiguous' }],
    [{ submit: 429 }, { kind: 'rate_limited', retryAfterSeconds: undefined }],
    [
      { submit: 429, retry_after: 7 },
      { kind: 'rate_limited', retryAfterSeconds: 7 },
    ],
    [{ submit: 500 }, { kind: 'unavailable' }],
    [{ submit: 402 }, { kind: 'credential' }],
  ])('fails as %j asks, however often it is tried', async (options, error) => {
    for (const seconds of [0, 1000]) {
      await expect(
        sandboxProvider.submit(providerJob({ options }), contextAt(seconds)),
      ).rejects.toMatchObject({
        name: 'ProviderError',
        ...error,
      });
    }
  });

  test('recovers when submit_lasts_s have passed since the job was made', async () => {
    const job = providerJob({ options: { submit: 'timeout_after_accept', submit_lasts_s: 10 } });
    await expect(sandboxProvider.submit(job, contextAt(9.999))).rejects.toMatchObject({ kind: 'ambiguous' });
    await expect(sandboxProvider.submit(job, contextAt(10))).resolves.toMatchObject({
      upstreamId: `sandbox-${job.id}`,
    });
  });

  test.each(['vid_a', 'vid_uuuuuuuuuuuuuuuuuuuuuuuuuu'])('cannot tell the age of %s', async (id) => {
    const job = providerJob({ id, options: { submit: 500, submit_lasts_s: 10 } });
    await expect(sandboxProvider.submit(job, contextAt(0))).rejects.toEqual(
      refused('submit_lasts_s needs a job ID that ends in a ULID'),
    );
  });
});

describe('poll', () => {
  test.each<[seconds: number, state: object, durationSeconds?: number, options?: Options]>([
    [-60, { state: 'queued' }],
    [0, { state: 'queued' }],
    [0.999, { state: 'queued' }],
    [1, { state: 'running', progress: 0 }],
    [2, { state: 'running', progress: 25 }],
    [4.999, { state: 'running', progress: 99 }],
    [5, { state: 'succeeded' }],
    [1_000_000, { state: 'succeeded' }],
    [6.999, { state: 'running', progress: 99 }, 15],
    [7, { state: 'succeeded' }, 15],
    [0.999, { state: 'queued' }, 4, { latency_s: 0 }],
    [1, { state: 'succeeded' }, 4, { latency_s: 0 }],
    [100.999, { state: 'running', progress: 99 }, 4, { latency_s: 100 }],
    [101, { state: 'succeeded' }, 4, { latency_s: 100 }],
    [0, { state: 'queued', retryAfterSeconds: 3 }, 4, { retry_after: 3 }],
    [3, { state: 'running', progress: 50, retryAfterSeconds: 3 }, 4, { retry_after: 3 }],
  ])('%d s after acceptance it is %j', async (seconds, expected, durationSeconds = 4, options = {}) => {
    const { outputs: _, ...state } = { outputs: [], ...(await poll(options, seconds, durationSeconds)) };
    expect(state).toEqual(expected);
  });

  test.each<[outcome: string, state: object]>([
    ['failed', { state: 'failed', reason: 'The sandbox was asked to fail' }],
    ['moderated', { state: 'failed', moderated: true, reason: 'The sandbox was asked to refuse the prompt' }],
    ['expired', { state: 'expired', reason: 'The sandbox was asked to let the job expire' }],
    ['cancelled', { state: 'cancelled', reason: 'The sandbox was asked to cancel the job' }],
    ['done_without_url', { state: 'succeeded', outputs: [] }],
    ['garbage_status', { state: 'running' }],
  ])('ends as outcome %s asks, not before its time', async (outcome, expected) => {
    expect(await poll({ outcome }, 4.999)).toEqual({ state: 'running', progress: 99 });
    expect(await poll({ outcome }, 5)).toEqual(expected);
    expect(await poll({ outcome }, 1800)).toEqual(expected);
  });

  test('returns a clip as requested, the same at each read', async () => {
    const ref = await acceptedRef({}, { durationSeconds: 2, generateAudio: true });
    const clip = await resultOf(await sandboxProvider.poll(ref, contextAt(3)));
    expect(describeMp4(clip)).toMatchObject({ width: 128, height: 72, durationSeconds: 2, hasAudio: true });
    expect(clip.equals(await resultOf(await sandboxProvider.poll(ref, contextAt(3000))))).toBe(true);
  });

  test('cuts a file whose bytes are to be truncated', async () => {
    const whole = await resultOf(await poll({}, 5));
    const cut = await resultOf(await poll({ outcome: 'truncated_bytes' }, 5));
    expect(cut.length).toBeLessThan(whole.length);
    expect(whole.subarray(0, cut.length).equals(cut)).toBe(true);
    expect(looksLikeMp4(cut)).toBe(true);
    expect(() => describeMp4(cut)).toThrow('The file is incomplete');
  });

  test('sends a page where a file should be', async () => {
    const page = await resultOf(await poll({ outcome: 'html_instead_of_mp4' }, 5));
    expect(page.toString()).toMatch(/^<!doctype html>/);
    expect(looksLikeMp4(page)).toBe(false);
  });

  test('stops drawing when the context is aborted', async () => {
    const abort = new AbortController();
    const state = await sandboxProvider.poll(await acceptedRef(), contextAt(5, abort.signal));
    abort.abort(new Error('the deadline passed'));
    await expect(resultOf(state)).rejects.toThrow('the deadline passed');
  });

  test('reports no cost, so that no caller can influence a price', async () => {
    expect(await poll({}, 5)).not.toHaveProperty('costMicros');
  });

  test.each<[seconds: number, options: Options, answer: object]>([
    [0, { poll_errors: [429, 500] }, { kind: 'rate_limited', retryAfterSeconds: undefined }],
    [4.999, { poll_errors: [429, 500] }, { kind: 'rate_limited' }],
    [5, { poll_errors: [429, 500] }, { kind: 'unavailable' }],
    [9.999, { poll_errors: [429, 500] }, { kind: 'unavailable' }],
    [4.999, { poll_errors: [429, 500], retry_after: 2 }, { kind: 'rate_limited', retryAfterSeconds: 2 }],
    [5, { poll_errors: [429, 500], retry_after: 2 }, { kind: 'unavailable' }],
    [29.999, { poll_errors: [429, 500], retry_after: 30 }, { kind: 'rate_limited', retryAfterSeconds: 30 }],
    [30, { poll_errors: [429, 500], retry_after: 30 }, { kind: 'unavailable' }],
  ])('%d s after acceptance, %j answers %j', async (seconds, options, answer) => {
    await expect(poll(options, seconds)).rejects.toMatchObject({ name: 'ProviderError', ...answer });
  });

  test('continues normally after the poll errors', async () => {
    expect(await poll({ poll_errors: [429, 500], latency_s: 18 }, 10)).toEqual({
      state: 'running',
      progress: 50,
    });
    expect(await poll({ poll_errors: [429, 500] }, 10)).toMatchObject({ state: 'succeeded' });
  });

  test('only ever moves forward', async () => {
    const rank = { queued: 0, running: 1, succeeded: 2, failed: 2, cancelled: 2, expired: 2 };
    const outcome = fc.constantFrom(
      'completed',
      'failed',
      'moderated',
      'expired',
      'cancelled',
      'garbage_status',
    );
    const seconds = fc.double({ min: 0, max: 20, noNaN: true });
    await fc.assert(
      fc.asyncProperty(outcome, fc.nat(15), seconds, seconds, async (how, latency_s, a, b) => {
        const options = { outcome: how, latency_s };
        const earlier = await poll(options, Math.min(a, b));
        const later = await poll(options, Math.max(a, b));
        expect(rank[later.state]).toBeGreaterThanOrEqual(rank[earlier.state]);
      }),
    );
  });

  test.each<ProviderRef>([
    {},
    { accepted_at: 'yesterday', width: 640 },
    { accepted_at: '2026-11-21T10:00:00.000Z', width: '640' },
  ])('does not know %j', async (ref) => {
    await expect(sandboxProvider.poll(ref, contextAt(0))).rejects.toEqual(
      refused('The sandbox does not have this job'),
    );
  });
});

describe('cancel', () => {
  test.each([
    [0, {}, 'cancelled'],
    [4.999, {}, 'cancelled'],
    [5, {}, 'not_possible'],
    [5, { outcome: 'failed' }, 'not_possible'],
    [5, { outcome: 'garbage_status' }, 'cancelled'],
  ] as const)('%d s after acceptance, with %j: %s', async (seconds, options, answer) => {
    expect(await sandboxProvider.cancel?.(await acceptedRef(options), contextAt(seconds))).toBe(answer);
  });
});
