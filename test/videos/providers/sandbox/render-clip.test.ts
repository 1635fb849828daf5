import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type Clip,
  framesPerSecond,
  renderClip,
} from '../../../../functions/videos/providers/sandbox/render-clip.ts';
import { describeMp4 } from '../../../../functions/videos/results/mp4-structure.ts';
import { keySamples } from './mp4-reading.ts';
import { GOLDENS, plainClip, render } from './render.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const files = new Map<Partial<Clip>, ReturnType<typeof render>>();

/** Each file is made once for the tests that look at it. */
function fileOf(clip: Partial<Clip>): ReturnType<typeof render> {
  const file = files.get(clip) ?? render(clip);
  files.set(clip, file);
  return file;
}

describe('renderClip', () => {
  test.each(GOLDENS)('always makes the same file: $name', async ({ clip, sha256: golden }) => {
    expect(sha256(await fileOf(clip))).toBe(golden);
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
