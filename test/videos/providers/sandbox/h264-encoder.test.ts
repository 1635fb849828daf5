import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { H264Encoder } from '../../../../functions/videos/providers/sandbox/h264-encoder.ts';
import { Picture, type Plane } from '../../../../functions/videos/providers/sandbox/picture.ts';
import { visibleSamples } from './picture-samples.ts';
import { decode, readSps } from './subset-decoder.ts';

const fps = 24;

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
function expectLossless(width: number, height: number, groups: readonly Stroke[][], keyEvery: number): void {
  const encoder = new H264Encoder({ width, height, fps });
  const picture = new Picture(width, height);
  const sources: ReturnType<typeof visibleSamples>[] = [];
  const units = groups.map((strokes, i) => {
    for (const one of strokes) paint(picture, one);
    sources.push(visibleSamples(picture));
    return encoder.encode(picture, i % keyEvery === 0);
  });
  const decoded = decode(encoder.sps, units);
  for (const [i, { luma, cb, cr }] of decoded.entries()) {
    const source = sources[i]!;
    expect(Buffer.compare(luma, source.luma)).toBe(0);
    expect(Buffer.compare(cb, source.cb)).toBe(0);
    expect(Buffer.compare(cr, source.cr)).toBe(0);
  }
}

describe('H264Encoder', () => {
  test('is lossless for any pictures of any even size, whole macroblocks or cropped', () => {
    const evenSide = fc.integer({ min: 1, max: 40 }).map((half) => half * 2);
    const groups = fc.array(fc.array(stroke, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(evenSide, evenSide, groups, fc.integer({ min: 1, max: 4 }), expectLossless), {
      numRuns: 150,
    });
  });

  test('is lossless over more frames than frame_num can count', () => {
    const dot = (i: number): Stroke => ({
      plane: 0,
      x: i % 30,
      y: 3,
      width: 2,
      height: 2,
      value: i % 256,
      noise: false,
    });
    expectLossless(
      32,
      32,
      Array.from({ length: 260 }, (_, i) => [dot(i)]),
      1000,
    );
  });

  test('spends nothing on an unchanged picture', () => {
    const encoder = new H264Encoder({ width: 640, height: 360, fps });
    const picture = new Picture(640, 360);
    encoder.encode(picture, true);
    expect(encoder.encode(picture, false).length).toBeLessThan(16);
  });

  test('spends ten bits or so on a macroblock that repeats its neighbour', () => {
    const encoder = new H264Encoder({ width: 640, height: 360, fps });
    const macroblocks = 40 * 23;
    const onePcm = 384;
    expect(encoder.encode(new Picture(640, 360), true).length).toBeLessThan(onePcm + macroblocks * 1.5);
  });

  test('makes the same bytes of the same pictures', () => {
    const picture = new Picture(64, 64);
    paint(picture, { plane: 0, x: 5, y: 5, width: 20, height: 20, value: 90, noise: true });
    const bytes = () => new H264Encoder({ width: 64, height: 64, fps }).encode(picture, true);
    expect(Buffer.compare(bytes(), bytes())).toBe(0);
  });

  test('refuses odd sides', () => {
    expect(() => new H264Encoder({ width: 65, height: 64, fps })).toThrow(RangeError);
    expect(() => new H264Encoder({ width: 64, height: 65, fps })).toThrow(RangeError);
  });
});

describe('the sequence parameter set', () => {
  // ITU-T H.264, table A-1: the lowest level that allows the picture, its sides and its rate.
  test.each([
    { width: 352, height: 288, fps: 24, levelIdc: 20 },
    { width: 352, height: 288, fps: 30, levelIdc: 20 },
    { width: 352, height: 288, fps: 31, levelIdc: 30 },
    { width: 368, height: 288, fps: 24, levelIdc: 30 },
    { width: 912, height: 64, fps: 24, levelIdc: 30 },
    { width: 720, height: 576, fps: 25, levelIdc: 30 },
    { width: 1280, height: 720, fps: 24, levelIdc: 31 },
    { width: 1680, height: 720, fps: 24, levelIdc: 40 },
    { width: 1920, height: 1080, fps: 12, levelIdc: 40 },
    { width: 2520, height: 1080, fps: 12, levelIdc: 51 },
  ])('says level $levelIdc for $width x $height at $fps', ({ levelIdc, ...format }) => {
    const sps = readSps(new H264Encoder(format).sps);
    expect(sps).toMatchObject({ levelIdc, fps: format.fps });
    expect(sps.widthInMbs * 16 - sps.cropRight).toBe(format.width);
    expect(sps.heightInMbs * 16 - sps.cropBottom).toBe(format.height);
  });

  test('does not exist for pictures that no level allows', () => {
    expect(() => new H264Encoder({ width: 8192, height: 4320, fps: 24 })).toThrow(RangeError);
  });
});
