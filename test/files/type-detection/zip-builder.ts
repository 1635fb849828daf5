import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
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

export interface ZipEnd {
  readonly comment?: string;
  readonly hasZip64Record?: boolean;
  readonly entryCount?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
}

const MAX_32 = 0xffffffff;

export function buildZip(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
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
  const header = fields(
    [4, 0x04034b50],
    [2, 20],
    [2, flagsOf(part)],
    [2, method],
    [4, 0],
    ...known.map((n) => [4, n] as const),
    [2, name.length],
    [2, 0],
  );
  const descriptor = part.isStreamed
    ? fields([4, 0x08074b50], [4, crc], [4, data.length], [4, size])
    : Buffer.alloc(0);
  return Buffer.concat([header, name, data, descriptor]);
}

function directoryEntry(part: ZipPart, truth: number): Buffer {
  const { data, size, crc, method } = numbersOf(part);
  const { lie = {}, hasZip64Extra = false } = part;
  const numbers = [lie.size ?? size, lie.compressedSize ?? data.length, lie.offset ?? truth] as const;
  const [shownSize, shownCompressed, shownOffset] = hasZip64Extra ? [MAX_32, MAX_32, MAX_32] : numbers;
  const extra = hasZip64Extra
    ? fields([2, 0x7875], [2, 1], [1, 0], [2, 1], [2, 24], ...numbers.map((n) => [8, n] as const))
    : Buffer.alloc(0);
  const name = Buffer.from(part.name);
  const header = fields(
    [4, 0x02014b50],
    [2, 20],
    [2, 20],
    [2, flagsOf(part)],
    [2, method],
    [4, 0],
    [4, lie.crc32 ?? crc],
    [4, shownCompressed],
    [4, shownSize],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, shownOffset],
  );
  return Buffer.concat([header, name, extra]);
}

function endRecords(end: ZipEnd, count: number, size: number, offset: number): Buffer {
  const entryCount = end.entryCount ?? count;
  const directorySize = end.directorySize ?? size;
  const directoryOffset = end.directoryOffset ?? offset;
  const comment = Buffer.from(end.comment ?? '');
  const record = (n: number, s: number, o: number) =>
    Buffer.concat([
      fields([4, 0x06054b50], [2, 0], [2, 0], [2, n], [2, n], [4, s], [4, o], [2, comment.length]),
      comment,
    ]);
  if (!end.hasZip64Record) return record(entryCount, directorySize, directoryOffset);
  return Buffer.concat([
    fields(
      [4, 0x06064b50],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, entryCount],
      [8, entryCount],
      [8, directorySize],
      [8, directoryOffset],
    ),
    fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
    record(0xffff, MAX_32, MAX_32),
  ]);
}

/** Numbers in little-endian, as pairs of width and value. */
function fields(...pairs: (readonly [1 | 2 | 4 | 8, number])[]): Buffer {
  return Buffer.concat(
    pairs.map(([width, value]) => {
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(value));
      return field.subarray(0, width);
    }),
  );
}
