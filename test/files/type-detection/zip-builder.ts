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
