import { describe, expect, test } from '@jest/globals';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  formatLike,
  formatNamed,
  frameFormat,
  frameFormats,
  OTHER_SIZES,
  RESOLUTIONS,
  type Resolution,
  sizeName,
} from '../../../functions/videos/catalogue/frame-size.ts';

describe('a frame format', () => {
  test.each<[Resolution, AspectRatio, string]>([
    ['360p', '16:9', '640x360'],
    ['480p', '16:9', '854x480'],
    ['720p', '16:9', '1280x720'],
    ['720p', '9:16', '720x1280'],
    ['1080p', '16:9', '1920x1080'],
    ['1080p', '1:1', '1080x1080'],
    ['720p', '4:3', '960x720'],
    ['720p', '3:4', '720x960'],
    ['720p', '21:9', '1680x720'],
    ['1K', '1:1', '1024x1024'],
    ['2K', '16:9', '2560x1440'],
    ['4K', '16:9', '3840x2160'],
  ])('of %s at %s is %s', (resolution, ratio, size) => {
    expect(sizeName(frameFormat(resolution, ratio))).toBe(size);
  });

  test('has even sides, and a size names one format only', () => {
    const all = [...frameFormats(RESOLUTIONS, ASPECT_RATIOS), ...OTHER_SIZES.flatMap(formatNamed)].filter(
      (format) => format !== undefined,
    );
    expect(all).toHaveLength(RESOLUTIONS.length * ASPECT_RATIOS.length + OTHER_SIZES.length);
    for (const { width, height } of all) expect([width % 2, height % 2]).toEqual([0, 0]);
    expect(new Set(all.map(sizeName)).size).toBe(all.length);
  });
});

test.each(OTHER_SIZES)('%s has the shape of its aspect ratio', (size) => {
  const { width, height, aspectRatio } = formatNamed(size)!;
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number);
  expect(sizeName({ width, height })).toBe(size);
  expect(Math.abs((width * down) / (height * across) - 1)).toBeLessThan(0.02);
});

describe('the format like that of a video', () => {
  test.each([
    [1280, 720, '1280x720'],
    [864, 496, '854x480'],
    [1000, 562, '1280x720'],
    [3840, 2160, '1920x1080'],
    [320, 180, '854x480'],
    [1470, 630, '1280x720'],
    [834, 1112, '1080x1440'],
  ])('of %ix%i has its shape, and as many pixels if it can: %s', (width, height, size) => {
    const alike = formatLike({ width, height }, ['480p', '720p', '1080p'], ['16:9', '3:4']);
    expect(alike && sizeName(alike)).toBe(size);
  });
});
