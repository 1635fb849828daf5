import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  describeMp4,
  looksLikeMp4,
  Mp4StreamCheck,
  Mp4StructureError,
} from '../../../functions/videos/results/mp4-structure.ts';
import { render } from '../providers/sandbox/render.ts';

function box(type: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

/** A box with its length in the 64-bit field. */
function largeBox(type: string, body: Uint8Array, size = BigInt(16 + body.length)): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(size, 8);
  return Buffer.concat([header, body]);
}

const ftyp = box('ftyp', Buffer.from('isom'), uint32(512), Buffer.from('isommp41'));
const mdat = box('mdat', Buffer.alloc(9));
const movieHeader = (timescale: number, duration: number) =>
  box('mvhd', uint32(0, 0, 0, timescale, duration), Buffer.alloc(80));
const handler = (type: string) => box('hdlr', uint32(0, 0), Buffer.from(type), Buffer.alloc(13));

function sampleEntry(type: string, width: number, height: number, ...boxes: Uint8Array[]): Buffer {
  const fields = Buffer.alloc(78);
  fields.writeUInt16BE(width, 24);
  fields.writeUInt16BE(height, 26);
  return box(type, fields, ...boxes);
}

function track(type: string, entry: Uint8Array): Buffer {
  const table = box('stbl', box('stsd', uint32(0, 1), entry));
  return box('trak', box('tkhd'), box('mdia', handler(type), box('minf', table)));
}

const avc = sampleEntry('avc1', 640, 360, box('avcC', Buffer.from([1, 0x64, 0, 0x1f, 0xff])));
const video = track('vide', avc);
const sound = track('soun', box('mp4a', Buffer.alloc(28)));
const moov = box('moov', movieHeader(600, 1500), video);

const concat = (...parts: Uint8Array[]) => Buffer.concat(parts);
const streamed = (file: Uint8Array, chunk: number) => {
  const check = new Mp4StreamCheck();
  for (let at = 0; at < file.length; at += chunk) check.push(file.subarray(at, at + chunk));
  check.end();
  return check.describe();
};

describe('looksLikeMp4', () => {
  test.each([
    ['a whole file', concat(ftyp, moov, mdat)],
    ['ftyp alone', ftyp],
    ['the first 16 bytes', ftyp.subarray(0, 16)],
    ['the largest ftyp', box('ftyp', Buffer.alloc(4088))],
    ['a view into other bytes', concat(Buffer.alloc(7), ftyp).subarray(7)],
  ])('takes %s', (_, head) => expect(looksLikeMp4(head)).toBe(true));

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['15 bytes', ftyp.subarray(0, 15)],
    ['a page', Buffer.from('<!doctype html><title>502 Bad Gateway</title>')],
    ['JSON', Buffer.from('{"error":{"message":"not found"}}')],
    ['JSON that speaks of ftyp', Buffer.from('    ftyp  {"a":"0123456789"}')],
    ['WebM', Buffer.from('1a45dfa39f4286810142f7810142f2810442f381', 'hex')],
    ['zeros', Buffer.alloc(64)],
    ['ftyp that is too small to name a brand', concat(uint32(12), Buffer.from('ftyp'), Buffer.alloc(50))],
    ['ftyp of a size no writer makes', box('ftyp', Buffer.alloc(4092))],
    ['ftyp of a size that is not whole brands', box('ftyp', Buffer.alloc(13))],
    ['another box first', concat(box('free', Buffer.alloc(16)), ftyp)],
  ])('refuses %s', (_, head) => expect(looksLikeMp4(head)).toBe(false));
});

describe('describeMp4', () => {
  test('describes an AVC file', () => {
    expect(describeMp4(concat(ftyp, moov, mdat))).toEqual({
      durationSeconds: 2.5,
      width: 640,
      height: 360,
      videoCodec: 'avc1.64001F',
      hasAudio: false,
      fastStart: true,
    });
  });

  test('finds the video and the sound among other tracks, in any order', () => {
    const tracks = [track('meta', box('mett')), sound, video];
    const file = concat(ftyp, mdat, box('moov', movieHeader(1000, 4000), ...tracks), box('free'));
    expect(describeMp4(file)).toMatchObject({
      width: 640,
      hasAudio: true,
      fastStart: false,
      durationSeconds: 4,
    });
  });

  test('gives the bare code of codecs other than AVC', () => {
    const hevc = track('vide', sampleEntry('hvc1', 3840, 2160, box('hvcC', Buffer.alloc(9))));
    const file = concat(ftyp, box('moov', movieHeader(1000, 4000), hevc), mdat);
    expect(describeMp4(file)).toMatchObject({ videoCodec: 'hvc1', width: 3840, height: 2160 });
  });

  test('reads 64-bit times and 64-bit box sizes', () => {
    const times = Buffer.alloc(112);
    times[0] = 1;
    times.writeUInt32BE(90_000, 20);
    times.writeBigUInt64BE(90_000n * 3600n * 24n, 24);
    const file = concat(ftyp, box('moov', box('mvhd', times), video), largeBox('mdat', Buffer.alloc(3)));
    expect(describeMp4(file).durationSeconds).toBe(86_400);
  });

  test.each([
    ['0', movieHeader(1000, 0)],
    ['all ones', movieHeader(1000, 2 ** 32 - 1)],
    ['without a time scale', movieHeader(0, 1000)],
    ['all ones of 64 bits', box('mvhd', uint32(0x1000000, 0, 0, 0, 0, 1000, 2 ** 32 - 1, 2 ** 32 - 1))],
  ])('gives no duration if it is %s', (_, header) => {
    expect(describeMp4(concat(ftyp, box('moov', header, video), mdat))).not.toHaveProperty('durationSeconds');
  });

  test('accepts what real writers do: a last box without size, zeros that end a list', () => {
    const endless = concat(ftyp, moov, concat(uint32(0), Buffer.from('mdat'), Buffer.alloc(100)));
    expect(describeMp4(endless)).toMatchObject({ width: 640 });
    const padded = track('vide', concat(sampleEntry('mp4v', 320, 240), uint32(0)));
    expect(describeMp4(concat(ftyp, box('moov', movieHeader(1, 1), padded), mdat))).toMatchObject({
      width: 320,
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'The file does not begin like an MP4 file'],
    ['a page', Buffer.from('<!doctype html><title>502</title>'), 'The file does not begin like an MP4 file'],
    ['no moov', concat(ftyp, mdat), 'The required moov box is missing'],
    ['no mdat', concat(ftyp, moov), 'The required mdat box is missing'],
    ['a cut mdat', concat(ftyp, moov, mdat.subarray(0, -1)), 'The file is incomplete'],
    ['a cut box header', concat(ftyp, moov, mdat, Buffer.alloc(7)), 'The file is incomplete'],
    [
      'a box of 7 bytes',
      concat(ftyp, uint32(7), Buffer.from('free')),
      'A box is smaller than its own header',
    ],
    [
      'a large box of 15 bytes',
      concat(ftyp, largeBox('free', Buffer.alloc(0), 15n)),
      'A box is smaller than its own header',
    ],
    [
      'a box of 2^64 - 1 bytes',
      concat(ftyp, moov, largeBox('mdat', Buffer.alloc(9), 2n ** 64n - 1n)),
      'The file is incomplete',
    ],
    ['no mvhd', concat(ftyp, box('moov', video), mdat), 'The required mvhd box is missing'],
    [
      'a cut mvhd',
      concat(ftyp, box('moov', box('mvhd', uint32(0, 0, 0)), video), mdat),
      'A box is too short for its fields',
    ],
    [
      'an empty mvhd',
      concat(ftyp, box('moov', box('mvhd'), video), mdat),
      'A box is too short for its fields',
    ],
    ['no video', concat(ftyp, box('moov', movieHeader(1, 1), sound), mdat), 'The file has no video track'],
    [
      'no sample entry',
      concat(ftyp, box('moov', movieHeader(1, 1), track('vide', Buffer.alloc(0))), mdat),
      'The video track has no sample entry',
    ],
    [
      'a cut sample entry',
      concat(ftyp, box('moov', movieHeader(1, 1), track('vide', box('avc1', Buffer.alloc(27)))), mdat),
      'A box is too short for its fields',
    ],
    [
      'a box larger than its parent',
      concat(ftyp, box('moov', uint32(99), Buffer.from('mvhd')), mdat),
      'The mvhd box extends beyond the end of its parent',
    ],
  ])('refuses %s', (_, file, message) => {
    expect(() => describeMp4(file)).toThrow(new Mp4StructureError(message));
  });
});

describe('Mp4StreamCheck', () => {
  const file = concat(ftyp, moov, largeBox('mdat', Buffer.alloc(1000)), box('free'));

  test.each([1, 7, 16, 64, 1_000_000])('takes a file in pieces of %i bytes', (chunk) => {
    expect(() => streamed(file, chunk)).not.toThrow();
  });

  test.each([1, 7, 64, 1_000_000])('describes a file in pieces of %i bytes', (chunk) => {
    const described = {
      durationSeconds: 2.5,
      width: 640,
      height: 360,
      videoCodec: 'avc1.64001F',
      hasAudio: false,
    };
    expect(streamed(file, chunk)).toEqual(described);
    expect(streamed(concat(ftyp, mdat, moov, moov), chunk)).toEqual(described);
  });

  const movieOf = (size: number) => {
    const rest = size - movieHeader(600, 1500).length - video.length;
    return concat(
      ftyp,
      box('moov', movieHeader(600, 1500), video, box('free', Buffer.alloc(rest - 8))),
      mdat,
    );
  };

  test.each([
    ['has an empty moov', concat(ftyp, box('moov'), mdat)],
    ['has no picture', concat(ftyp, box('moov', movieHeader(1, 1), sound), mdat)],
    ['has a damaged moov', concat(ftyp, box('moov', movieHeader(1, 1), Buffer.from('\0\0\0\x7ftrak')), mdat)],
    ['has a moov of more than is kept', movieOf(1024 ** 2 + 1)],
  ])('describes nothing of a file that %s', (_, file) => expect(streamed(file, 1000)).toEqual({}));

  test('describes a file whose moov just fits into the kept bytes', () => {
    expect(streamed(movieOf(1024 ** 2), 1000)).toMatchObject({ width: 640, durationSeconds: 2.5 });
  });

  const times = (count: number, each: Uint8Array) => Array.from({ length: count }, () => each);

  test.each<[string, Uint8Array[], number | undefined]>([
    ['a thousand boxes', times(998, box('free')), 640],
    ['more boxes than that', times(999, box('free')), undefined],
    ['sixteen tracks', times(15, sound), 640],
    ['more tracks than that', times(16, sound), undefined],
  ])('describes a moov of %s as far as it is worth reading', (_, others, width) => {
    const movie = box('moov', movieHeader(1000, 2500), video, ...others);
    expect(streamed(concat(ftyp, movie, mdat), 1000).width).toBe(width);
  });

  test('refuses a file that is not an MP4 as soon as that is certain', () => {
    const check = new Mp4StreamCheck();
    check.push(Buffer.from('<!docty'));
    expect(() => check.push(Buffer.from('p'))).toThrow(
      new Mp4StructureError('The file does not begin like an MP4 file'),
    );
  });

  test('detects incomplete files at every cut', () => {
    const whole = concat(ftyp, moov, mdat);
    for (let length = 0; length < whole.length; length++) {
      expect(() => streamed(whole.subarray(0, length), 5)).toThrow(Mp4StructureError);
    }
    expect(() => streamed(whole, 5)).not.toThrow();
  });

  test('is not slowed down by a flood of empty boxes', () => {
    const free = (count: number) => Buffer.alloc(8 * count, box('free'));
    expect(() => streamed(concat(ftyp, moov, mdat, free(99_997)), 65_536)).not.toThrow();
    expect(() => streamed(concat(ftyp, moov, mdat, free(99_998)), 65_536)).toThrow(
      'The file has too many boxes',
    );
  });
});

describe('with hostile bytes', () => {
  let clip: Buffer;
  beforeAll(async () => {
    clip = await render({ width: 64, height: 64, durationSeconds: 1, generateAudio: true });
  });

  function expectTyped(bytes: Uint8Array): void {
    try {
      describeMp4(bytes);
    } catch (error) {
      if (!(error instanceof Mp4StructureError)) throw error;
    }
  }

  test('every beginning of a real file is refused, up to its media data and around its end', () => {
    const media = clip.indexOf('mdat') + 16;
    for (let length = 0; length < clip.length; length = length === media ? clip.length - 64 : length + 1) {
      expect(() => describeMp4(clip.subarray(0, length))).toThrow(Mp4StructureError);
    }
    expect(describeMp4(clip)).toMatchObject({ width: 64, height: 64, durationSeconds: 1, hasAudio: true });
  });

  test('no damage to a real file breaks or stalls the reading', () => {
    const last = 2000;
    const damage = fc.array(fc.tuple(fc.nat(last), fc.oneof(fc.constantFrom(0, 1, 255), fc.nat(255))), {
      minLength: 1,
      maxLength: 8,
    });
    const damaged = Buffer.from(clip);
    fc.assert(
      fc.property(damage, (changes) => {
        damaged.set(clip.subarray(0, last + 1));
        for (const [at, value] of changes) damaged[at] = value;
        expectTyped(damaged);
      }),
      { numRuns: 2000 },
    );
  });

  test('nothing at all breaks the reading', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expectTyped(bytes);
        expectTyped(concat(ftyp, bytes));
        expectTyped(concat(ftyp, box('moov', bytes), mdat));
        expectTyped(concat(ftyp, box('moov', movieHeader(1, 1), box('trak', bytes)), mdat));
      }),
    );
  });
});
