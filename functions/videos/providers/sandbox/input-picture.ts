import { createInflate } from 'node:zlib';
import jpeg from 'jpeg-js';
import { type Picture, rowsOf, shrunk } from '../../stills/shrunk.ts';
import type { InputBytes } from '../provider.ts';

/** 4096 x 3072, a photograph of a phone. Decoded, it fits into a worker beside ten jobs' inputs. */
const MOST_PIXELS = 4096 * 3072;
const MOST_JPEG_MEGABYTES = 256;
/** Progressive JPEGs have about ten. A short one can have thousands, each of which passes all blocks. */
const MOST_JPEG_SCANS = 64;
/** Two rows of a PNG are in memory, with up to eight bytes a pixel. */
const WIDEST_PNG = 16_384;
/** Most writers make chunks of 8 KiB or more; an empty one takes 12 bytes, and much more in memory. */
const MOST_PNG_CHUNKS = 10_000;

/** Random noise takes 17 kB as such a JPEG, a photograph 3 kB: two fit into a job's row many times. */
const SMALL_SIDE = 128;
const SMALL_QUALITY = 60;

/** A small JPEG of an input in base64, which a job's row can keep; undefined for what is not a picture that it can read. */
export async function smallPicture({ mediaType, bytes }: InputBytes): Promise<string | undefined> {
  try {
    const small = await decoders[mediaType]?.(Buffer.from(bytes));
    return small && jpeg.encode(small, SMALL_QUALITY).data.toString('base64');
  } catch {
    // The libraries throw all kinds of errors. A provider would refuse a damaged picture; the sandbox names it on a plate.
    return undefined;
  }
}

/** A picture that `smallPicture` has made. */
export const readSmallPicture = (base64: string): Picture =>
  jpeg.decode(Buffer.from(base64, 'base64'), { useTArray: true, maxResolutionInMP: 1 });

const decoders: Readonly<Record<string, (bytes: Buffer) => Promise<Picture | undefined>>> = {
  'image/jpeg': decodeJpeg,
  'image/png': decodePng,
};

async function decodeJpeg(bytes: Buffer): Promise<Picture | undefined> {
  const scan = Buffer.from([0xff, 0xda]);
  let scans = 0;
  for (let at = bytes.indexOf(scan); at !== -1; at = bytes.indexOf(scan, at + 2)) scans++;
  if (scans > MOST_JPEG_SCANS) return undefined;
  const picture = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MOST_PIXELS / 1e6,
    maxMemoryUsageInMB: MOST_JPEG_MEGABYTES,
  });
  return shrunk(rowsOf(picture), picture, SMALL_SIDE);
}

interface Png {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  /** Samples of a pixel. */
  readonly channels: number;
  /** For samples that are indexes: colours of three bytes, and how opaque each is. */
  readonly palette: Buffer | undefined;
  readonly opacities: Buffer | undefined;
}

/** Samples of a pixel by colour type (ISO/IEC 15948, 11.2.2). */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
const PNG_SIGNATURE_BYTES = 8;

/** Row by row, so that a picture of gigabytes in a few bytes takes no more memory than a small one. */
async function decodePng(bytes: Buffer): Promise<Picture | undefined> {
  const chunks = chunksOf(bytes);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) return undefined;
  const [depth = 0, colour = 0, , , interlaced] = header.subarray(8);
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), PNG_CHANNELS[colour]];
  const isBounded = width * height <= MOST_PIXELS && width <= WIDEST_PNG;
  if (channels === undefined || !isBounded || interlaced !== 0) return undefined;
  const last = (type: string) => chunks.findLast((chunk) => chunk.type === type)?.data;
  const palette = colour === PALETTE ? last('PLTE') : undefined;
  const png = { width, height, depth, channels, palette, opacities: palette && last('tRNS') };
  const samples = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return shrunk(pngRows(png, samples), png, SMALL_SIDE);
}

function chunksOf(bytes: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = PNG_SIGNATURE_BYTES; at + 8 <= bytes.length; ) {
    if (chunks.length === MOST_PNG_CHUNKS) throw new Error('The PNG image has too many chunks');
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data });
    at += 12 + data.length;
  }
  return chunks;
}

async function* pngRows(png: Png, samples: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  const { width, depth, channels } = png;
  const before = Math.ceil((depth * channels) / 8);
  let row = Buffer.alloc(1 + Math.ceil((width * depth * channels) / 8));
  let above = Buffer.alloc(row.length);
  let filled = 0;
  const inflate = createInflate();
  inflate.end(Buffer.concat(samples));
  for await (const piece of inflate) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.copy(row, filled, at);
      at += taken;
      filled += taken;
      if (filled < row.length) continue;
      unfilter(row, above, before);
      yield pixelsOf(row.subarray(1), png);
      [row, above, filled] = [above, row, 0];
    }
  }
}

/** Rows are stored as differences, of the kind that their first byte names (9.2); `before` is the distance to a pixel's left. */
function unfilter(row: Buffer, above: Buffer, before: number): void {
  const [kind = 0] = row;
  for (let at = 1; at < row.length; at++) {
    const left = at > before ? (row[at - before] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at > before ? (above[at - before] ?? 0) : 0;
    const predicted = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][kind] ?? 0;
    row[at] = (row[at] ?? 0) + predicted;
  }
}

/** The Paeth predictor (9.4). */
function nearest(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Red, green, blue and an unused byte for each pixel; what is transparent is white. */
function pixelsOf(row: Buffer, { width, depth, channels, palette, opacities }: Png): Uint8Array {
  const pixels = new Uint8Array(width * 4);
  const most = 2 ** Math.min(depth, 8) - 1;
  const sampleAt = (index: number) => {
    if (depth >= 8) return row[index * (depth / 8)] ?? 0;
    return ((row[(index * depth) >> 3] ?? 0) >> (8 - depth - ((index * depth) & 7))) & most;
  };
  for (let x = 0; x < width; x++) {
    const first = sampleAt(x * channels);
    for (let colour = 0; colour < 3; colour++) {
      const sample = channels < 3 ? (first * 255) / most : sampleAt(x * channels + colour);
      const value = palette === undefined ? sample : (palette[first * 3 + colour] ?? 0);
      const opacity =
        channels % 2 === 0 ? sampleAt(x * channels + channels - 1) : (opacities?.[first] ?? 255);
      pixels[x * 4 + colour] = 255 + ((value - 255) * opacity) / 255;
    }
  }
  return pixels;
}
