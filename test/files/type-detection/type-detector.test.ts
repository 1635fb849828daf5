import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TypeDetector } from '../../../functions/files/type-detection/type-detector.ts';
import { detect } from './detect.ts';
import { accepted, FIXTURES, fixture } from './file-fixtures.ts';
import { TEXTS } from './text-samples.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  spx: 'audio/ogg',
};
const FOUND: Readonly<Record<string, string>> = {
  'bzip2.bz2': 'application/x-bzip2',
  'ffmpeg-id3.aac': 'AAC (ADTS)',
  'ffmpeg-layer2.mp2': 'MPEG audio Layer II',
  'ffmpeg-rf64.wav': 'a variant of WAV other than RIFF/WAVE',
  'ffmpeg-theora.ogv': 'Ogg with Theora video',
  'ffmpeg.aac': 'AAC (ADTS)',
  'ffmpeg.ac3': 'audio/vnd.dolby.dd-raw',
  'ffmpeg.aiff': 'audio/aiff',
  'ffmpeg.avi': 'video/vnd.avi',
  'ffmpeg.m4a': 'audio/x-m4a',
  'ffmpeg.mp4': 'video/mp4',
  'ffmpeg.w64': 'unknown binary data',
  'ffmpeg.webm': 'video/webm',
  'ffmpeg.wma': 'audio/x-ms-asf',
  'gcc.o': 'application/x-elf',
  'gzip.gz': 'application/gzip',
  'imagemagick.bmp': 'image/bmp',
  'imagemagick.ico': 'image/x-icon',
  'imagemagick.psd': 'image/vnd.adobe.photoshop',
  'imagemagick.tiff': 'image/tiff',
  'javac.class': 'application/java-vm',
  'jdk.jar': 'application/java-archive',
  'libreoffice.doc': 'application/x-cfb',
  'libreoffice.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  'libreoffice.odt': 'application/vnd.oasis.opendocument.text',
  'pillow.avif': 'image/avif',
  'pillow.jp2': 'image/jp2',
  'python-latin-1.txt': 'text that is not UTF-8',
  'python-shift-jis.txt': 'text that is not UTF-8',
  'python-utf-16-be-bom.txt': 'UTF-16 text',
  'python-utf-16-le-bom.txt': 'UTF-16 text',
  'python-utf-16-le.txt': 'UTF-16 text without a byte order mark',
  'python-utf-32.txt': 'UTF-32 text',
  'sqlite.db': 'application/x-sqlite3',
  'tarfile.tar': 'application/x-tar',
  'xz.xz': 'application/x-xz',
  'zipfile-macros.docm': 'application/vnd.ms-word.document.macroEnabled',
  'zipfile-template.dotx': `${OOXML}.wordprocessingml.template`,
  'zipfile.epub': 'application/epub+zip',
  'zipfile.zip': 'application/zip',
};

const textRows = Object.entries(TEXTS).flatMap(([type, texts]) =>
  texts.map((text) => ({ type, text, name: JSON.stringify(text) })),
);

describe('the type of a file', () => {
  test.each(accepted)('%s is what its writer made', async (name) => {
    const extension = name.slice(name.lastIndexOf('.') + 1);
    expect(await detect(fixture(`accepted/${name}`))).toBe(BY_EXTENSION[extension]);
  });

  test.each(Object.entries(FOUND))('%s is refused as %s', async (name, found) => {
    expect(await detect(fixture(`refused/${name}`))).toBe(`refused: ${found}`);
  });

  test('has a row here for every refused fixture', () => {
    expect(readdirSync(new URL('refused/', FIXTURES)).sort()).toEqual(Object.keys(FOUND).sort());
  });

  test.each(textRows)('$name is $type', async ({ type, text }) => {
    expect(await detect(text)).toBe(type);
  });

  test('of nothing is refused', async () => {
    expect(await detect('')).toBe('refused: an empty file');
    expect(await detect('', [0, 0])).toBe('refused: an empty file');
  });

  test('is refused with an error that names what was found and what is accepted', async () => {
    const detector = new TypeDetector();
    detector.write(fixture('refused/ffmpeg.mp4'));
    await expect(detector.end()).rejects.toMatchObject({
      name: 'UnsupportedFileType',
      found: 'video/mp4',
      accepted: expect.arrayContaining(['application/pdf', 'text/plain']),
      message: expect.stringMatching(/found video\/mp4; accepted: application\/pdf, image\/png, /),
    });
  });
});

describe('every byte matters', () => {
  const late = (tail: Uint8Array) => Buffer.concat([Buffer.from('word '.repeat(40_000)), tail]);

  test.each([
    ['an invalid byte', [0xff]],
    ['half a code point', [0xc3]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('%s at the end of a long text makes it no text', async (_, bytes) => {
    expect(await detect(late(Uint8Array.from(bytes)))).toBe('refused: text that is not UTF-8');
  });

  test('a NUL makes it none either', async () => {
    expect(await detect(late(Uint8Array.of(0)))).toBe('refused: text with NUL bytes');
    expect(await detect('a\0b c')).toBe('refused: text with NUL bytes');
    expect(await detect(Buffer.alloc(100))).toBe('refused: unknown binary data');
  });

  test('a late letter outside ASCII does not', async () => {
    expect(await detect(late(Buffer.from('é€😀')))).toBe('text/plain');
  });

  test('the last byte decides between JSON and text', async () => {
    const json = `[${'"abcdefgh",'.repeat(20_000)}1]`;
    expect(await detect(json)).toBe('application/json');
    expect(await detect(`${json.slice(0, -1)}}`)).toBe('text/plain');
  });

  test('the last record decides between CSV and text', async () => {
    const csv = 'a,b\n'.repeat(30_000);
    expect(await detect(csv)).toBe('text/csv');
    expect(await detect(`${csv}a,b,c\n`)).toBe('text/plain');
  });
});

describe('any chunking', () => {
  const files = [
    ...accepted.map((name) => fixture(`accepted/${name}`)),
    ...Object.keys(FOUND).map((name) => fixture(`refused/${name}`)),
    ...textRows.map(({ text }) => Buffer.from(text)),
  ];

  test('gives the same answer, cut at random', async () => {
    const chunks = fc.array(fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 20_000 })), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), chunks, async (file, lengths) => {
        expect(await detect(file, lengths)).toBe(await detect(file));
      }),
      { numRuns: 400 },
    );
  });

  test.each([1, 7, 48])('gives the same answer, %i bytes each', async (length) => {
    for (const file of files.filter(({ length: size }) => size < 6_000)) {
      const lengths = Array.from({ length: Math.ceil(file.length / length) }, () => length);
      expect(await detect(file, lengths)).toBe(await detect(file));
    }
  });
});

describe('a file that is two things at once', () => {
  const pdf = fixture('accepted/ghostscript.pdf');

  test.each([0, 1, 1024])('is a PDF after %i bytes of junk', async (length) => {
    expect(await detect(Buffer.concat([Buffer.alloc(length, 0xfe), pdf]))).toBe('application/pdf');
  });

  test('is no PDF after 1,025 bytes of junk', async () => {
    expect(await detect(Buffer.concat([Buffer.alloc(1025, 0x80), pdf]))).toBe('refused: unknown binary data');
  });

  test.each([
    ['accepted/imagemagick.gif', 'image/gif'],
    ['refused/imagemagick.bmp', 'refused: image/bmp'],
    ['refused/gzip.gz', 'refused: application/gzip'],
  ])('%s before a PDF stays what it is', async (name, type) => {
    const front = fixture(name).subarray(0, 900);
    expect(await detect(Buffer.concat([front, pdf]))).toBe(type);
  });

  test.each([
    '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n',
    '%PDF-2.0\r\n',
    '%PDF-1.4 of one line %%EOF',
  ])('is a PDF as text: %p', async (text) => {
    expect(await detect(text)).toBe('application/pdf');
  });

  test('is binary when its text has control characters and begins with a signature', async () => {
    expect(await detect('PK\x03\x04 and no more')).toMatch(/^refused: a ZIP archive/);
    expect(await detect('BM\x01\x02')).toBe('refused: image/bmp');
  });
});
