import { describe, expect, test } from '@jest/globals';
import { classifyMpegAudio } from '../../../functions/files/type-detection/audio.ts';
import { detect } from './detect.ts';

const MP3 = { mimeType: 'audio/mpeg' };
const INCOMPLETE = { found: 'incomplete or damaged MPEG audio' };

/** A frame of zeros. The default is version 1, Layer III, 128 kbit/s at 44.1 kHz: 417 bytes. */
function frame(length = 417, header: readonly number[] = [0xff, 0xfb, 0x90, 0x00]): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.set(header);
  return bytes;
}
const classify = (...parts: Uint8Array[]) => classifyMpegAudio(Buffer.concat(parts), true);

describe('MPEG audio', () => {
  test.each([
    ['version 1, 128 kbit/s at 44.1 kHz', 417, [0xff, 0xfb, 0x90, 0x00]],
    ['with padding', 418, [0xff, 0xfb, 0x92, 0x00]],
    ['with a CRC', 417, [0xff, 0xfa, 0x90, 0x00]],
    ['320 kbit/s at 32 kHz', 1440, [0xff, 0xfb, 0xe8, 0x00]],
    ['32 kbit/s at 48 kHz', 96, [0xff, 0xfb, 0x14, 0x00]],
    ['version 2, 64 kbit/s at 22.05 kHz', 208, [0xff, 0xf3, 0x80, 0x00]],
    ['version 2.5, 8 kbit/s at 8 kHz', 72, [0xff, 0xe3, 0x18, 0x00]],
  ])('of two frames is MP3: %s', (_, length, header) => {
    expect(classify(frame(length, header), frame(length, header))).toEqual(MP3);
    expect(classify(frame(length, header))).toEqual(MP3);
    expect(classify(frame(length - 1, header), frame(length, header))).toEqual(INCOMPLETE);
    expect(classify(frame(length + 1, header), frame(length, header))).toEqual(INCOMPLETE);
  });

  test('may change its bit rate, not its sample rate or version', () => {
    expect(classify(frame(), frame(208, [0xff, 0xfb, 0x50, 0x00]))).toEqual(MP3);
    expect(classify(frame(), frame(384, [0xff, 0xfb, 0x94, 0x00]))).toEqual(INCOMPLETE);
    expect(classify(frame(), frame(208, [0xff, 0xf3, 0x80, 0x00]))).toEqual(INCOMPLETE);
  });

  test('may end in a tag after its only frame', () => {
    expect(classify(frame(), Buffer.from('TAGtitle'))).toEqual(MP3);
    expect(classify(frame(), Buffer.from('APETAGEX'))).toEqual(MP3);
    expect(classify(frame(), Buffer.from('text'))).toEqual(INCOMPLETE);
  });

  test('may begin with zeros', () => {
    expect(classify(Buffer.alloc(1_000), frame(), frame())).toEqual(MP3);
  });

  test('does not end with the head, if only the head is known', () => {
    expect(classifyMpegAudio(frame(), false)).toEqual(INCOMPLETE);
    expect(classifyMpegAudio(Buffer.concat([frame(), frame(10)]), false)).toEqual(MP3);
  });

  test.each([
    ['AAC (ADTS)', [0xff, 0xf1, 0x50, 0x80]],
    ['MPEG audio Layer II', [0xff, 0xfd, 0x90, 0x00]],
    ['MPEG audio Layer I', [0xff, 0xff, 0x90, 0x00]],
    ['free-format MPEG audio, or MPEG audio with an invalid header', [0xff, 0xfb, 0x00, 0x00]],
    ['free-format MPEG audio, or MPEG audio with an invalid header', [0xff, 0xfb, 0xf0, 0x00]],
    ['free-format MPEG audio, or MPEG audio with an invalid header', [0xff, 0xfb, 0x9c, 0x00]],
    ['free-format MPEG audio, or MPEG audio with an invalid header', [0xff, 0xeb, 0x90, 0x00]],
  ])('is refused: %s', (found, header) => {
    expect(classify(frame(417, header), frame(417, header))).toEqual({ found });
  });

  test.each([
    [[]],
    [[0]],
    [[0xff]],
    [[0xff, 0xfb, 0x90]],
    [[0xff, 0xd8, 0xff, 0xe0]],
    [[1, 0xff, 0xfb, 0x90, 0]],
  ])('is none: %j', (bytes) => {
    expect(classify(Uint8Array.from(bytes))).toBeUndefined();
  });
});

describe('ID3 tags', () => {
  /** An ID3v2.4 tag with this many bytes after its header of ten bytes. */
  function tag(contentLength: number, flags = 0): Buffer {
    const size = [21, 14, 7, 0].map((shift) => (contentLength >> shift) & 0x7f);
    return Buffer.concat([
      Buffer.from('ID3'),
      Buffer.from([4, 0, flags, ...size]),
      Buffer.alloc(contentLength, 0xff),
    ]);
  }
  const file = (...parts: Uint8Array[]) => detect(Buffer.concat(parts), [1, 9, 10, 1_000, 50_000]);

  test.each([0, 1, 127, 128, 5_000, 3_000_000])('of %i bytes are skipped', async (length) => {
    expect(await file(tag(length), frame(), frame())).toBe('audio/mpeg');
    expect(await file(tag(length), frame())).toBe('audio/mpeg');
    expect(await file(tag(length), Buffer.from('fLaC\0\0\0\x22'))).toBe('audio/flac');
    expect(await file(tag(length), frame(100, [0xff, 0xf1, 0x50, 0x80]))).toBe('refused: AAC (ADTS)');
  });

  test('may be several, with a footer, and padded', async () => {
    expect(await file(tag(300), tag(20_000), frame(), frame())).toBe('audio/mpeg');
    expect(await file(tag(300, 0x10), Buffer.alloc(10), frame(), frame())).toBe('audio/mpeg');
    expect(await file(tag(300), Buffer.alloc(4_000), frame(), frame())).toBe('audio/mpeg');
  });

  test('are followed sixteen times and no more', async () => {
    const tags = (count: number) => Array.from({ length: count }, () => tag(5));
    expect(await file(...tags(16), frame(), frame())).toBe('audio/mpeg');
    expect(await file(...tags(17), frame(), frame())).toMatch(/^refused: an ID3 tag without/);
  });

  test('need audio after them', async () => {
    expect(await file(tag(100))).toMatch(/^refused: an ID3 tag without/);
    expect(await file(tag(100).subarray(0, 50))).toMatch(/^refused: an ID3 tag without/);
    expect(await file(tag(100), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toMatch(
      /^refused: an ID3 tag without/,
    );
  });
});
