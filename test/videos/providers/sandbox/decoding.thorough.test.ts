import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { H264Encoder } from '../../../../functions/videos/providers/sandbox/h264-encoder.ts';
import { muxMp4 } from '../../../../functions/videos/providers/sandbox/mp4-muxer.ts';
import { Picture, type Plane } from '../../../../functions/videos/providers/sandbox/picture.ts';
import { framesPerSecond } from '../../../../functions/videos/providers/sandbox/render-clip.ts';
import { Scene } from '../../../../functions/videos/providers/sandbox/scene.ts';
import { browser, useBrowser } from '../../../browser.ts';
import { findBox, keySamples, tableBox, videoSamples } from './mp4-reading.ts';
import { GOLDENS, plainClip, render } from './render.ts';

const fps = 24;

useBrowser();
let page: Page;
beforeAll(async () => {
  page = await browser.newPage();
  // Chromium gives its decoder to secure pages only, as any of localhost is.
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('http://localhost/');
});

const frameSchema = v.object({
  width: v.number(),
  height: v.number(),
  /** Of all samples, plane after plane. */
  sha256: v.string(),
});
type Frame = v.InferOutput<typeof frameSchema>;

/** The frames that Chromium, which decodes with FFmpeg, finds in a film. */
async function decode(film: Uint8Array): Promise<Frame[]> {
  const configuration = findBox(tableBox(film, 'stsd').subarray(8 + 8 + 78), 'avcC');
  const keys = new Set(keySamples(film));
  const samples = videoSamples(film).samples.map((bytes, i) => ({
    base64: Buffer.from(bytes).toString('base64'),
    type: keys.has(i + 1) ? 'key' : 'delta',
  }));
  const codec = `avc1.${configuration.toString('hex', 1, 4)}`;
  const given = { codec, description: configuration.toString('base64'), samples };
  return v.parse(v.array(frameSchema), await page.evaluate(`(${IN_PAGE})(${JSON.stringify(given)})`));
}

const IN_PAGE = `async ({ codec, description, samples }) => {
  const frames = [];
  const failed = Promise.withResolvers();
  const decoder = new VideoDecoder({ output: (frame) => frames.push(read(frame)), error: failed.reject });
  async function read(frame) {
    if (frame.format !== 'I420') throw new Error(frame.format + ' is not I420');
    const { width, height } = frame.visibleRect;
    const planes = new Uint8Array(frame.allocationSize());
    await frame.copyTo(planes);
    frame.close();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', planes));
    return { width, height, sha256: digest.toHex() };
  }
  decoder.configure({ codec, description: Uint8Array.fromBase64(description) });
  for (const [timestamp, { type, base64 }] of samples.entries())
    decoder.decode(new EncodedVideoChunk({ type, timestamp, data: Uint8Array.fromBase64(base64) }));
  await Promise.race([decoder.flush(), failed.promise]);
  decoder.close();
  return Promise.all(frames);
}`;

/** What a decoder must make of a picture, which is cropped to its visible size. */
function frameOf({ width, height, luma, cb, cr }: Picture): Frame {
  const hash = createHash('sha256');
  const add = ({ samples, stride }: Plane, columns: number, rows: number) => {
    for (let y = 0; y < rows; y++) hash.update(samples.subarray(y * stride, y * stride + columns));
  };
  add(luma, width, height);
  add(cb, width / 2, height / 2);
  add(cr, width / 2, height / 2);
  return { width, height, sha256: hash.digest('hex') };
}

interface Stroke {
  readonly plane: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly value: number;
  readonly noise: boolean;
}

const stroke: fc.Arbitrary<Stroke> = fc.record({
  plane: fc.nat(2),
  x: fc.nat(60),
  y: fc.nat(60),
  width: fc.integer({ min: 1, max: 64 }),
  height: fc.integer({ min: 1, max: 64 }),
  value: fc.nat(255),
  noise: fc.boolean(),
});

function paint(picture: Picture, { plane, x, y, width, height, value, noise }: Stroke): void {
  const { samples, stride }: Plane = [picture.luma, picture.cb, picture.cr][plane]!;
  for (let row = y; row < Math.min(samples.length / stride, y + height); row++) {
    for (let column = x; column < Math.min(stride, x + width); column++) {
      samples[row * stride + column] = noise ? (value * row * column) % 3 : value;
    }
  }
}

/** Encodes a picture after each group of strokes. The decoder must return exactly these pictures. */
async function expectLossless(
  width: number,
  height: number,
  groups: readonly Stroke[][],
  keyEvery: number,
): Promise<void> {
  const encoder = new H264Encoder({ width, height, fps });
  const picture = new Picture(width, height);
  const drawn: Frame[] = [];
  const samples = groups.map((strokes, i) => {
    for (const one of strokes) paint(picture, one);
    drawn.push(frameOf(picture));
    const key = i % keyEvery === 0;
    return { bytes: encoder.encode(picture, key), key };
  });
  const { sps, pps } = encoder;
  const film = Buffer.concat([...muxMp4({ width, height, fps, sps, pps, samples, silentAudio: false })]);
  expect(await decode(film)).toEqual(drawn);
}

describe('a decoder finds exactly what was encoded', () => {
  test('in any pictures of any even size, whole macroblocks or cropped', async () => {
    const evenSide = fc.integer({ min: 1, max: 40 }).map((half) => half * 2);
    const groups = fc.array(fc.array(stroke, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    const keyEvery = fc.integer({ min: 1, max: 4 });
    await fc.assert(fc.asyncProperty(evenSide, evenSide, groups, keyEvery, expectLossless), { numRuns: 150 });
  });

  test('in more frames than frame_num can count', async () => {
    const dot = (i: number): Stroke => ({
      ...{ plane: 0, x: i % 30, y: 3, width: 2, height: 2 },
      ...{ value: i % 256, noise: false },
    });
    const groups = Array.from({ length: 260 }, (_, i) => [dot(i)]);
    await expectLossless(32, 32, groups, 1000);
  });

  test.each([
    [352, 288],
    [912, 64],
    [1680, 720],
    [1920, 1080],
    [2520, 1080],
  ])('of the size %i x %i', (width, height) => expectLossless(width, height, [[]], 1));

  test.each(GOLDENS)('in a clip: $name', async ({ clip }) => {
    const whole = { ...plainClip, ...clip };
    const frames = whole.durationSeconds * framesPerSecond(whole);
    const scene = new Scene(whole, frames);
    const drawn = Array.from({ length: frames }, (_, i) => frameOf(scene.draw(i)));
    expect(await decode(await render(clip))).toEqual(drawn);
  });
});
