import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { detect } from './detect.ts';

/** Numbers of this many bytes, in little-endian. */
const numbersOfWidth =
  (width: number) =>
  (...numbers: readonly number[]): Buffer =>
    Buffer.concat(
      numbers.map((number) => {
        const field = Buffer.alloc(8);
        field.writeBigUInt64LE(BigInt(number));
        return field.subarray(0, width);
      }),
    );

const u16 = numbersOfWidth(2);
const u32 = numbersOfWidth(4);
const u64 = numbersOfWidth(8);

interface ZipPart {
  readonly name: string;
  readonly content?: Uint8Array | string;
  /** Compressed, with sizes and CRC after the data, as streaming writers do it. */
  readonly isStreamed?: boolean;
  readonly isStored?: boolean;
  readonly isEncrypted?: boolean;
  readonly hasZip64Extra?: boolean;
  /** Wrong values for the central directory. */
  readonly lie?: {
    readonly size?: number;
    readonly compressedSize?: number;
    readonly crc32?: number;
    readonly offset?: number;
  };
}

interface ZipEnd {
  readonly comment?: string;
  readonly hasZip64Record?: boolean;
  readonly entryCount?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
}

const MAX_32 = 0xffffffff;

function buildZip(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const local = localEntry(part);
    directory.push(directoryEntry(part, offset));
    locals.push(local);
    offset += local.length;
  }
  return Buffer.concat([
    ...locals,
    ...directory,
    endRecords(end, parts.length, Buffer.concat(directory).length, offset),
  ]);
}

function numbersOf(part: ZipPart) {
  const content = Buffer.from(part.content ?? '');
  const data = part.isStored ? content : deflateRawSync(content);
  return { data, size: content.length, crc: crc32(content), method: part.isStored ? 0 : 8 };
}

const flagsOf = (part: ZipPart) => (part.isStreamed ? 8 : 0) | (part.isEncrypted ? 1 : 0);

function localEntry(part: ZipPart): Buffer {
  const { data, size, crc, method } = numbersOf(part);
  const name = Buffer.from(part.name);
  const known = part.isStreamed ? [0, 0, 0] : [crc, data.length, size];
  const header = [u32(0x04034b50), u16(20, flagsOf(part), method), u32(0, ...known), u16(name.length, 0)];
  const descriptor = part.isStreamed ? u32(0x08074b50, crc, data.length, size) : Buffer.alloc(0);
  return Buffer.concat([...header, name, data, descriptor]);
}

function directoryEntry(part: ZipPart, truth: number): Buffer {
  const { data, size, crc, method } = numbersOf(part);
  const { lie = {}, hasZip64Extra = false } = part;
  const numbers = [lie.size ?? size, lie.compressedSize ?? data.length, lie.offset ?? truth] as const;
  const [shownSize, shownCompressed, shownOffset] = hasZip64Extra ? [MAX_32, MAX_32, MAX_32] : numbers;
  const extra = hasZip64Extra
    ? Buffer.concat([u16(0x7875, 1), Buffer.alloc(1), u16(1, 24), u64(...numbers)])
    : Buffer.alloc(0);
  const name = Buffer.from(part.name);
  return Buffer.concat([
    ...[u32(0x02014b50), u16(20, 20, flagsOf(part), method), u32(0, lie.crc32 ?? crc)],
    ...[u32(shownCompressed, shownSize), u16(name.length, extra.length, 0, 0, 0), u32(0, shownOffset)],
    ...[name, extra],
  ]);
}

function endRecords(end: ZipEnd, count: number, size: number, offset: number): Buffer {
  const entryCount = end.entryCount ?? count;
  const directorySize = end.directorySize ?? size;
  const directoryOffset = end.directoryOffset ?? offset;
  const comment = Buffer.from(end.comment ?? '');
  const record = (n: number, s: number, o: number) =>
    Buffer.concat([u32(0x06054b50), u16(0, 0, n, n), u32(s, o), u16(comment.length), comment]);
  if (!end.hasZip64Record) return record(entryCount, directorySize, directoryOffset);
  return Buffer.concat([
    ...[u32(0x06064b50), u64(44), u16(45, 45), u32(0, 0)],
    u64(entryCount, entryCount, directorySize, directoryOffset),
    ...[u32(0x07064b50, 0), u64(offset + size), u32(1)],
    record(0xffff, MAX_32, MAX_32),
  ]);
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const UNREADABLE = 'refused: a ZIP archive whose [Content_Types].xml cannot be read';
const DAMAGED = 'refused: a ZIP archive that is damaged or has too many entries';
const XML = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/></Types>`;

const types: ZipPart = { name: '[Content_Types].xml', content: XML };
const main: ZipPart = { name: 'word/document.xml', content: '<w:document/>' };
const CHUNKS = Array.from({ length: 400 }, () => 64 * 1024);
const noise = (name: string, length: number): ZipPart => ({
  name,
  content: randomBytes(length),
  isStored: true,
});
const zipType = (parts: readonly ZipPart[], end?: ZipEnd) => detect(buildZip(parts, end), CHUNKS);

describe('an OOXML package', () => {
  test.each<[string, ZipPart[], ZipEnd?]>([
    ['with its content types first', [types, main]],
    ['with its content types last', [main, types]],
    ['with its content types in the middle', [main, types, noise('word/media/a.bin', 500)]],
    ['with its content types before 2 MiB of other parts', [types, main, noise('a.bin', 2 << 20)]],
    ['with its content types after 2 MiB', [main, noise('a.bin', 2 << 20), types]],
    [
      'with its content types between 2 MiB and 2 MiB',
      [main, noise('a.bin', 2 << 20), types, noise('b.bin', 2 << 20)],
    ],
    [
      'streamed',
      [
        { ...main, isStreamed: true },
        { ...types, isStreamed: true },
      ],
    ],
    ['streamed before 2 MiB', [{ ...types, isStreamed: true }, main, noise('a.bin', 2 << 20)]],
    [
      'stored',
      [
        { ...types, isStored: true },
        { ...main, isStored: true },
      ],
    ],
    [
      'with ZIP64 extra fields',
      [
        { ...types, hasZip64Extra: true },
        { ...main, hasZip64Extra: true },
      ],
    ],
    ['with a ZIP64 end record', [types, main], { hasZip64Record: true }],
    ['with a comment', [types, main], { comment: 'x'.repeat(65_535) }],
    ['with its content types after stored packages', [...stored(7), types, main, noise('a.bin', 2 << 20)]],
    ['with its content types before stored packages', [types, ...stored(20), main]],
    ['with its content types near the end, after twenty stored packages', [...stored(20), main, types]],
    ['of 10,000 entries', [types, main, ...empties(9_998)]],
    ['of UTF-16 content types', [{ ...types, content: Buffer.from(`\ufeff${XML}`, 'utf16le') }, main]],
    [
      'of content types just under 1 MiB',
      [{ ...types, content: XML + ' '.repeat((1 << 20) - XML.length) }, main],
    ],
  ])('%s is one', async (_, parts, ...end) => {
    expect(await zipType(parts, ...end)).toBe(DOCX);
  });

  test('is found at every position of the content types against the chunks', async () => {
    const zip = buildZip([main, types]);
    for (let cut = 0; cut <= zip.length; cut++) expect(await detect(zip, [cut])).toBe(DOCX);
    const early = buildZip([types, main, noise('a.bin', 2 << 20)]);
    for (let cut = 0; cut <= 100; cut++) expect(await detect(early, [cut, 1, 30, 18, 2])).toBe(DOCX);
  });

  function stored(count: number): ZipPart[] {
    const inner = buildZip([
      { ...types, content: XML.replaceAll('word', 'nested') },
      { name: 'nested/document.xml' },
    ]);
    return Array.from({ length: count }, (_, i) => ({
      name: `word/embeddings/${i}.docx`,
      content: inner,
      isStored: true,
    }));
  }

  function empties(count: number): ZipPart[] {
    return Array.from({ length: count }, (_, i) => ({ name: `e${i}`, isStored: true }));
  }
});

describe('a ZIP is refused', () => {
  const bomb = `${XML}${' '.repeat(20 << 20)}`;
  test.each<[string, string, ZipPart[], ZipEnd?]>([
    ['without content types', 'refused: application/zip', [main]],
    [
      'whose content types are in a folder',
      'refused: application/zip',
      [{ ...types, name: `x/${types.name}` }, main],
    ],
    ['with two content types', UNREADABLE, [types, types, main]],
    ['when its content types are encrypted', UNREADABLE, [{ ...types, isEncrypted: true }, main]],
    [
      'when its content types are longer than 1 MiB',
      UNREADABLE,
      [{ ...types, content: XML + ' '.repeat((1 << 20) + 1 - XML.length) }, main],
    ],
    ['when its content types are a ZIP bomb', UNREADABLE, [{ ...types, content: bomb }, main]],
    [
      'when its content types are a ZIP bomb with a false size',
      UNREADABLE,
      [{ ...types, content: bomb, lie: { size: XML.length } }, main],
    ],
    ['when their CRC is wrong', UNREADABLE, [{ ...types, lie: { crc32: 1 } }, main]],
    ['when their compressed size is wrong', UNREADABLE, [{ ...types, lie: { compressedSize: 20 } }, main]],
    [
      'when their compressed size exceeds the file',
      UNREADABLE,
      [{ ...types, lie: { compressedSize: 1 << 17 } }, main],
    ],
    ['when their offset is wrong', UNREADABLE, [{ ...types, lie: { offset: 7 } }, main]],
    ['when their offset is beyond the file', UNREADABLE, [{ ...types, lie: { offset: 1 << 30 } }, main]],
    [
      'of 10,001 entries',
      DAMAGED,
      [types, main, ...Array.from({ length: 9_999 }, (_, i) => ({ name: `e${i}`, isStored: true }))],
    ],
    ['that counts more entries than it has', DAMAGED, [types, main], { entryCount: 3 }],
    ['that counts 2^52 entries', DAMAGED, [types, main], { entryCount: 2 ** 52, hasZip64Record: true }],
    ['whose directory is elsewhere', DAMAGED, [types, main], { directoryOffset: 1 }],
    [
      'whose directory is 2^52 bytes',
      DAMAGED,
      [types, main],
      { directorySize: 2 ** 52, directoryOffset: 2 ** 52, hasZip64Record: true },
    ],
    ['whose directory is larger than the file', DAMAGED, [types, main], { directorySize: 1 << 30 }],
  ])('%s', async (_, type, parts, ...end) => {
    expect(await zipType(parts, ...end)).toBe(type);
  });

  test('when it is cut anywhere', async () => {
    const zip = buildZip([types, main, noise('a.bin', 300)]);
    for (let length = 4; length < zip.length; length++) {
      expect(await detect(zip.subarray(0, length))).toMatch(/^refused: /);
    }
  });

  test('whose directory does not fit into the last MiB', async () => {
    const long = Array.from({ length: 100 }, (_, i) => ({
      name: `${i}/${'n'.repeat(12_000)}`,
      isStored: true,
    }));
    expect(await zipType([types, main, ...long])).toBe(DAMAGED);
  });
});
