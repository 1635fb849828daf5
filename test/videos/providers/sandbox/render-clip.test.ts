import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type Clip,
  framesPerSecond,
  renderClip,
} from '../../../../functions/videos/providers/sandbox/render-clip.ts';
import { Scene } from '../../../../functions/videos/providers/sandbox/scene.ts';
import { describeMp4 } from '../../../../functions/videos/results/mp4-structure.ts';
import { keySamples, videoSamples } from './mp4-reading.ts';
import { visibleSamples } from './picture-samples.ts';
import { plainClip, render } from './render.ts';
import { decode } from './subset-decoder.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** FFmpeg, with all its error detection, decoded each of these files to exactly the drawn pictures. */
const goldens: { name: string; clip: Partial<Clip>; sha256: string }[] = [
  {
    name: 'landscape with sound',
    clip: { generateAudio: true },
    sha256: '34bdfebc8c674497d0ff1a7fc2a54eec9296b3e7d4a1f30f8d5bdc82c76fc9d8',
  },
  {
    name: 'portrait with inputs, cropped to its size',
    clip: {
      width: 362,
      height: 642,
      durationSeconds: 2,
      seed: -5,
      plates: ['first_frame image/png', 'input_references 2 image'],
    },
    sha256: '4b1d5172f48ab7b7af4de0971eb591af4c4ca80db67ef8a4ce6fdf92d79821ad',
  },
  {
    name: 'full HD',
    clip: { width: 1920, height: 1080, durationSeconds: 1, seed: 0 },
    sha256: '4b3dfc6b5135e995af622454f86c6d9b5886abe0796994a518b5105c0bcb092c',
  },
];

const files = new Map<Partial<Clip>, ReturnType<typeof render>>();

/** Each file is made once for the tests that look at it. */
function fileOf(clip: Partial<Clip>): ReturnType<typeof render> {
  const file = files.get(clip) ?? render(clip);
  files.set(clip, file);
  return file;
}

describe('renderClip', () => {
  test.each(goldens)('always makes the same file: $name', async ({ clip, sha256: golden }) => {
    expect(sha256(await fileOf(clip))).toBe(golden);
  });

  test.each(goldens)('makes a file that decodes to exactly what was drawn: $name', async ({ clip }) => {
    const whole = { ...plainClip, ...clip };
    const { sps, samples } = videoSamples(await fileOf(clip));
    const frames = whole.durationSeconds * framesPerSecond(whole);
    const scene = new Scene(whole, frames);
    const decoded = decode(sps, samples);
    expect(decoded).toHaveLength(frames);
    for (const [i, picture] of decoded.entries()) {
      const drawn = visibleSamples(scene.draw(i));
      expect(Buffer.compare(picture.luma, drawn.luma)).toBe(0);
      expect(Buffer.compare(picture.cb, drawn.cb)).toBe(0);
      expect(Buffer.compare(picture.cr, drawn.cr)).toBe(0);
    }
  });

  test.each([
    { width: 64, height: 64, durationSeconds: 1, generateAudio: true },
    { width: 362, height: 202, durationSeconds: 3, generateAudio: false },
    { width: 1080, height: 2520, durationSeconds: 1, generateAudio: true },
    { width: 640, height: 360, durationSeconds: 15, generateAudio: true },
  ])('obeys $width x $height, $durationSeconds s, sound $generateAudio', async (clip) => {
    expect(describeMp4(await render(clip))).toMatchObject({
      width: clip.width,
      height: clip.height,
      durationSeconds: clip.durationSeconds,
      hasAudio: clip.generateAudio,
      fastStart: true,
      videoCodec: expect.stringMatching(/^avc1\.42C0/),
    });
  });

  test.each([
    [{ durationSeconds: 5 }, [1, 49, 97]],
    [{ durationSeconds: 9, width: 64, height: 64 }, [1, 25, 49, 73, 97]],
    [{ durationSeconds: 1 }, [1]],
  ])('has a key frame every two seconds: %j', async (clip, expected) => {
    expect(keySamples(await render(clip))).toEqual(expected);
  });

  const short = { durationSeconds: 1 };
  test.each<Partial<Clip>>([
    { prompt: 'Another prompt' },
    { seed: 8 },
    { model: 'clip-2' },
    { plates: ['first_frame image/png'] },
    { generateAudio: true },
  ])('shows its input: %j makes another file', async (change) => {
    expect(sha256(await render({ ...short, ...change }))).not.toBe(sha256(await fileOf(short)));
  });

  test('lets other work of the process run while it draws', async () => {
    let turns = 0;
    let waiting = setImmediate(function turn() {
      turns++;
      waiting = setImmediate(turn);
    });
    await render({ width: 64, height: 64, durationSeconds: 4 }).finally(() => clearImmediate(waiting));
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  test('ends with the reason of the signal, before the first byte and between bytes', async () => {
    const reason = new Error('the deadline passed');
    const small = { ...plainClip, width: 64, height: 64, durationSeconds: 1 };
    await expect(renderClip(small, AbortSignal.abort(reason)).next()).rejects.toBe(reason);

    const abort = new AbortController();
    const body = renderClip(small, abort.signal);
    await body.next();
    abort.abort(reason);
    await expect(body.next()).rejects.toBe(reason);
  });

  test('draws nothing before it is read', () => {
    // This size is impossible, so drawing anything would throw.
    expect(() => renderClip({ ...plainClip, width: 3 }, new AbortController().signal)).not.toThrow();
  });
});

describe('framesPerSecond', () => {
  test.each([
    [640, 360, 4, 24],
    [1280, 720, 8, 24],
    [720, 1280, 8, 24],
    [1680, 720, 8, 24],
    [1280, 720, 9, 12],
    [1280, 722, 8, 12],
    [1920, 1080, 1, 12],
    [64, 64, 8.5, 12],
  ])('%i x %i for %d s: %i', (width, height, durationSeconds, fps) => {
    expect(framesPerSecond({ ...plainClip, width, height, durationSeconds })).toBe(fps);
  });
});
