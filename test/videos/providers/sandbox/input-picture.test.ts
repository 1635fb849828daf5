import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import {
  readSmallPicture,
  smallPicture,
} from '../../../../functions/videos/providers/sandbox/input-picture.ts';

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  readonly interlaced?: number;
}

/** `rows` are as they are stored: each after the number of its filter. */
function png(
  { width, height, depth, colour, interlaced = 0 }: Header,
  rows: Uint8Array,
  ...more: Buffer[]
): Buffer {
  const header = [uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, interlaced])];
  const data = chunk('IDAT', deflateSync(rows));
  return Buffer.concat([SIGNATURE, chunk('IHDR', Buffer.concat(header)), ...more, data]);
}

const ofPng = (bytes: Buffer) => smallPicture({ mediaType: 'image/png', bytes });

/** The colour in the middle of the small picture, which is the only one of these pictures. */
async function colourOf(bytes: Buffer): Promise<number[]> {
  const small = await ofPng(bytes);
  if (small === undefined) throw new Error('not read');
  const { width, height, data } = readSmallPicture(small);
  return [...data.subarray(((height >> 1) * width + (width >> 1)) * 4).subarray(0, 3)];
}

/** JPEG rounds colours. */
const near = (colour: number[]) => colour.map((value) => expect.closeTo(value, -1));

/** Eight equal rows. */
const rows = (row: readonly number[], filter = 0) =>
  Buffer.concat(Array.from({ length: 8 }, () => Buffer.from([filter, ...row])));
const times = (count: number, ...bytes: number[]) => Array.from({ length: count }, () => bytes).flat();

describe('a PNG', () => {
  const size = { width: 8, height: 8 };
  test.each<[string, Buffer, number[]]>([
    [
      'red, green and blue',
      png({ ...size, depth: 8, colour: 2 }, rows(times(8, 200, 40, 30))),
      [200, 40, 30],
    ],
    [
      'with 16 bits a sample',
      png({ ...size, depth: 16, colour: 2 }, rows(times(8, 200, 9, 40, 9, 30, 9))),
      [200, 40, 30],
    ],
    [
      'half transparent',
      png({ ...size, depth: 8, colour: 6 }, rows(times(8, 55, 55, 255, 128))),
      [155, 155, 255],
    ],
    ['grey', png({ ...size, depth: 8, colour: 0 }, rows(times(8, 90))), [90, 90, 90]],
    [
      'grey, of two bits',
      png({ ...size, depth: 2, colour: 0 }, rows([0b10101010, 0b10101010])),
      [170, 170, 170],
    ],
    ['transparent grey', png({ ...size, depth: 8, colour: 4 }, rows(times(8, 0, 0))), [255, 255, 255]],
    [
      'of a palette',
      png({ ...size, depth: 1, colour: 3 }, rows([0xff]), chunk('PLTE', Buffer.from([0, 0, 0, 20, 140, 60]))),
      [20, 140, 60],
    ],
    [
      'of a palette, transparent',
      png(
        { ...size, depth: 4, colour: 3 },
        rows(times(4, 0x11)),
        chunk('PLTE', Buffer.from([0, 0, 0, 20, 140, 60])),
        chunk('tRNS', Buffer.from([255, 0])),
      ),
      [255, 255, 255],
    ],
  ])('%s', async (_, bytes, colour) => expect(await colourOf(bytes)).toEqual(near(colour)));

  test.each([
    ['the pixel to the left', 1, [100, ...times(7, 0)]],
    ['their mean', 3, [100, ...times(7, 50)]],
    ['the nearest of the three', 4, [100, ...times(7, 0)]],
  ])('undoes differences to %s', async (_, filter, row) => {
    // Of the rows after the first, the second filter repeats what is above.
    const stored = Buffer.concat([
      Buffer.from([filter, ...row]),
      ...times(7, 0).map(() => Buffer.from([2, ...times(8, 0)])),
    ]);
    expect(await colourOf(png({ ...size, depth: 8, colour: 0 }, stored))).toEqual(near([100, 100, 100]));
  });

  test('keeps its shape', async () => {
    const small = await ofPng(png({ width: 640, height: 16, depth: 1, colour: 0 }, Buffer.alloc(81 * 16)));
    expect(readSmallPicture(small ?? '')).toMatchObject({ width: 128, height: 3 });
  });

  test.each<[string, Buffer]>([
    [
      'more pixels than a phone makes',
      png({ width: 8192, height: 8192, depth: 1, colour: 0 }, Buffer.alloc(0)),
    ],
    ['a row of more than 16,384', png({ width: 16_385, height: 1, depth: 1, colour: 0 }, Buffer.alloc(2050))],
    ['interlaced rows', png({ ...size, depth: 8, colour: 0, interlaced: 1 }, rows(times(8, 0)))],
    ['a colour type that does not exist', png({ ...size, depth: 8, colour: 5 }, rows(times(8, 0)))],
    ['no header', Buffer.concat([SIGNATURE, chunk('IDAT', deflateSync(rows([0])))])],
    ['an end in the middle', png({ ...size, depth: 8, colour: 0 }, rows(times(8, 7))).subarray(0, -12)],
    [
      'thousands of chunks',
      png(
        { ...size, depth: 8, colour: 0 },
        rows(times(8, 0)),
        ...times(10_000, 0).map(() => chunk('tEXt', Buffer.alloc(0))),
      ),
    ],
  ])('is not drawn with %s', async (_, bytes) => expect(await ofPng(bytes)).toBeUndefined());

  test('is read no further than its rows', async () => {
    const endless = Buffer.alloc(300_000_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await ofPng(png({ ...size, depth: 8, colour: 0 }, endless))).toBeDefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});

describe('a JPEG', () => {
  const encoded = (width: number, height: number, pixel: (at: number) => number) =>
    jpeg.encode(
      { width, height, data: Uint8Array.from({ length: width * height * 4 }, (_, at) => pixel(at)) },
      90,
    ).data;
  const ofJpeg = (bytes: Buffer) => smallPicture({ mediaType: 'image/jpeg', bytes });

  test('becomes a small one, however little it repeats itself', async () => {
    const noise = fc.sample(fc.integer({ min: 0, max: 255 }), { numRuns: 4096, seed: 1 });
    const small = (await ofJpeg(encoded(256, 128, (at) => noise[(at * 31 + (at >> 9)) % 4096] ?? 0))) ?? '';
    expect(readSmallPicture(small)).toMatchObject({ width: 128, height: 64 });
    expect(small.length).toBeLessThan(24_000);
  });

  test.each<[string, Buffer]>([
    [
      'more pixels than a phone makes',
      withSize(
        encoded(16, 16, () => 9),
        8192,
        8192,
      ),
    ],
    [
      'too many scans',
      Buffer.concat([encoded(16, 16, () => 9), ...times(64, 0).map(() => Buffer.from([0xff, 0xda]))]),
    ],
    ['damage', encoded(16, 16, () => 9).subarray(0, 200)],
  ])('is not drawn with %s', async (_, bytes) => expect(await ofJpeg(bytes)).toBeUndefined());
});

/** The same JPEG, which says that it is as large as that. */
function withSize(bytes: Buffer, width: number, height: number): Buffer {
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

test.each(['image/webp', 'video/mp4', 'image/svg+xml'])('%s is not drawn', async (mediaType) =>
  expect(await smallPicture({ mediaType, bytes: new Uint8Array(64) })).toBeUndefined(),
);
