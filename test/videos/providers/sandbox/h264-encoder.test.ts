import { describe, expect, test } from '@jest/globals';
import { H264Encoder } from '../../../../functions/videos/providers/sandbox/h264-encoder.ts';
import { Picture } from '../../../../functions/videos/providers/sandbox/picture.ts';

const fps = 24;

describe('H264Encoder', () => {
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
    picture.luma.samples.fill(90, 500, 2000);
    const bytes = () => new H264Encoder({ width: 64, height: 64, fps }).encode(picture, true);
    expect(Buffer.compare(bytes(), bytes())).toBe(0);
  });

  test('numbers two key pictures in succession differently, even if they are alike', () => {
    const encoder = new H264Encoder({ width: 64, height: 64, fps });
    const picture = new Picture(64, 64);
    expect(encoder.encode(picture, true)).not.toEqual(encoder.encode(picture, true));
  });

  test('refuses odd sides', () => {
    expect(() => new H264Encoder({ width: 65, height: 64, fps })).toThrow(RangeError);
    expect(() => new H264Encoder({ width: 64, height: 65, fps })).toThrow(RangeError);
  });
});

/** Without the bytes that only keep start codes out. */
const bitsIn = (nal: Uint8Array): string => {
  const text = Buffer.from(nal).toString('latin1').replaceAll('\0\0\x03', '\0\0');
  return Array.from(Buffer.from(text, 'latin1'), (byte) => byte.toString(2).padStart(8, '0')).join('');
};

/** num_units_in_tick, time_scale in fields, and fixed_frame_rate_flag, after the flag that tells of them. */
const timing = (fps: number): string =>
  `1${[1, 2 * fps].map((value) => value.toString(2).padStart(32, '0')).join('')}1`;

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
    const { sps } = new H264Encoder(format);
    expect([sps[3], bitsIn(sps).includes(timing(format.fps))]).toEqual([levelIdc, true]);
  });

  test('does not exist for pictures that no level allows', () => {
    expect(() => new H264Encoder({ width: 8208, height: 4352, fps: 24 })).toThrow(RangeError);
  });
});
