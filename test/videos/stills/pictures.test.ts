import { describe, expect, jest, test } from '@jest/globals';
import jpeg from 'jpeg-js';
import { renderClip } from '../../../functions/videos/providers/sandbox/render-clip.ts';
import { picturesOf } from '../../../functions/videos/stills/pictures.ts';

const clip = async (width: number, height: number, durationSeconds = 1) =>
  Buffer.concat(
    await Array.fromAsync(
      renderClip(
        {
          model: 'm',
          prompt: '',
          width,
          height,
          durationSeconds,
          seed: 1,
          generateAudio: true,
          plates: [],
        },
        new AbortController().signal,
      ),
    ),
  );
async function* bytes(video: Uint8Array) {
  yield video;
}
const pictures = async (width: number, height: number) => {
  const made = await picturesOf(bytes(await clip(width, height)));
  return { thumbnail: Buffer.from(made?.thumbnail ?? []), lastFrame: Buffer.from(made?.lastFrame ?? []) };
};
const sizeOf = (picture: Uint8Array) => {
  const { width, height } = jpeg.decode(picture);
  return { width, height };
};

describe('the pictures of a video', () => {
  test('are a small one of its first frame and its whole last frame', async () => {
    const { thumbnail, lastFrame } = await pictures(1280, 720);
    expect(sizeOf(thumbnail)).toEqual({ width: 426, height: 240 });
    expect(sizeOf(lastFrame)).toEqual({ width: 1280, height: 720 });
  });

  test('are also a sheet of sixteen small ones at equal distances, four across', async () => {
    const { spritesheet = Buffer.of() } = (await picturesOf(bytes(await clip(1280, 720)))) ?? {};
    expect(sizeOf(spritesheet)).toEqual({ width: 4 * 256, height: 4 * 144 });
    // The bar of progress ends in the fourth tile of each row further to the right than in the row above.
    const { data } = jpeg.decode(spritesheet);
    const barOf = (row: number) => {
      const line = Array.from(
        { length: 256 },
        (_, x) => data[(((row + 1) * 144 - 1) * 1024 + 768 + x) * 4] ?? 0,
      );
      return line.filter((red) => red > 240).length;
    };
    const bars = [0, 1, 2, 3].map(barOf);
    expect(bars).toEqual(bars.toSorted((a, b) => a - b));
    expect(new Set(bars).size).toBe(4);
  });

  test('are never missing for a good video: the decoder’s own thread would lose the last frames of one in fifteen', async () => {
    const video = await clip(640, 360);
    for (let times = 0; times < 10; times++) {
      const made = await Promise.all(Array.from({ length: 4 }, () => picturesOf(bytes(video))));
      expect(made.every(Boolean)).toBe(true);
    }
  });

  test('are never missing for a video so small that all of it is read in one turn', async () => {
    expect(await picturesOf(bytes(await clip(320, 180, 2)))).toBeDefined();
    expect(await picturesOf(bytes(await clip(640, 360, 6)))).toBeDefined();
  });

  test('show what the video shows: its bar of progress grows from the first frame to the last', async () => {
    const { thumbnail, lastFrame } = await pictures(320, 180);
    expect(brightness(lastFrame)).toBeGreaterThan(brightness(thumbnail) + 50);
  });

  test.each<[string, (video: Buffer) => Buffer]>([
    ['is not a video', () => Buffer.from('not a video at all')],
    ['is cut off', (video) => video.subarray(0, video.length / 2)],
    ['has random samples', (video) => Buffer.from(video.fill(0x5a, video.length / 2))],
  ])('are none where it %s', async (_, damage) => {
    const damaged = damage(await clip(320, 180));
    expect(await picturesOf(bytes(damaged))).toBeUndefined();
  });

  test('are none where they are larger than it says, because these took all memory of the function', async () => {
    const large = await clip(4112, 4112);
    const size = large.lastIndexOf('avc1') + 'avc1'.length + 24;
    large.writeUInt32BE((64 << 16) + 64, size);
    expect(await picturesOf(bytes(large))).toBeUndefined();
  });

  test('wait for another try where the decoder could not be started', async () => {
    const node = jest.replaceProperty(process, 'execPath', '/nowhere/node');
    await expect(picturesOf(bytes(Buffer.of()))).rejects.toThrow('ENOENT');
    node.restore();
  });

  test('wait for another try where the video could not be read', async () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(new Error('S3 is throttled')) });
    await expect(picturesOf(broken)).rejects.toThrow('S3 is throttled');
  });
});

/** Of the middle of the lowest rows, where the bar of progress is. */
function brightness(picture: Uint8Array): number {
  const { width, height, data } = jpeg.decode(picture);
  return data[((height - 4) * width + Math.floor(width * 0.6)) * 4] ?? 0;
}
