/**
 * The central directory of a ZIP (APPNOTE 6.3.10, 4.3.12 to 4.3.16), read from the end of the file. Every
 * number in it is hostile until it is seen to fit.
 */
export interface ZipEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly headerOffset: number;
}

export const MOST_ZIP_ENTRIES = 10_000;

const END_RECORD = 0x06054b50;
const END_RECORD_LENGTH = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_LENGTH = 20;
const ZIP64_END_RECORD = 0x06064b50;
const ZIP64_END_RECORD_LENGTH = 56;
const ZIP64_EXTRA = 0x0001;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_HEADER_LENGTH = 46;
const LONGEST_COMMENT = 0xffff;
const IN_ZIP64 = 0xffffffff;

interface Directory {
  readonly entryCount: number;
  readonly offset: number;
}

/**
 * `undefined` where the directory is missing, damaged, longer than `tail` or of too many entries.
 *
 * @param tail the last bytes of the file
 * @param fileSize in bytes, `tail` included
 */
export function* readZipDirectory(tail: Buffer, fileSize: number): Generator<void, ZipEntry[] | undefined> {
  const tailStart = fileSize - tail.length;
  const end = findEndRecord(tail);
  const directory = end === undefined ? undefined : readEndRecord(tail, end, tailStart);
  if (end === undefined || directory === undefined || directory.entryCount > MOST_ZIP_ENTRIES)
    return undefined;

  const entries: ZipEntry[] = [];
  let at = directory.offset - tailStart;
  for (let i = 0; i < directory.entryCount; i++) {
    yield;
    const isHeader =
      at >= 0 && at + DIRECTORY_HEADER_LENGTH <= end && tail.readUInt32LE(at) === DIRECTORY_HEADER;
    if (!isHeader) return undefined;
    const nameStart = at + DIRECTORY_HEADER_LENGTH;
    const extraStart = nameStart + tail.readUInt16LE(at + 28);
    const next = extraStart + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
    if (next > end) return undefined;
    entries.push(readEntry(tail.subarray(at, next)));
    at = next;
  }
  return entries;
}

/** The last one, as readers take it; a comment may follow. */
function findEndRecord(tail: Buffer): number | undefined {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END_RECORD);
  const first = Math.max(0, tail.length - END_RECORD_LENGTH - LONGEST_COMMENT);
  const at = tail.subarray(first).lastIndexOf(signature);
  return at === -1 || first + at + END_RECORD_LENGTH > tail.length ? undefined : first + at;
}

function readEndRecord(tail: Buffer, end: number, tailStart: number): Directory | undefined {
  const zip64 = findZip64EndRecord(tail, end - ZIP64_LOCATOR_LENGTH, tailStart);
  if (zip64 !== undefined) {
    return directoryBefore(zip64 + tailStart, {
      entryCount: Number(tail.readBigUInt64LE(zip64 + 32)),
      size: Number(tail.readBigUInt64LE(zip64 + 40)),
      offset: Number(tail.readBigUInt64LE(zip64 + 48)),
    });
  }
  const offset = tail.readUInt32LE(end + 16);
  return directoryBefore(end + tailStart, {
    entryCount: tail.readUInt16LE(end + 10),
    size: tail.readUInt32LE(end + 12),
    // Info-ZIP, told to write ZIP64 to a pipe, says so and leaves the ZIP64 record out.
    offset: offset === IN_ZIP64 ? undefined : offset,
  });
}

/** The directory ends where its end record begins, and must begin where the record says. */
function directoryBefore(
  endRecord: number,
  record: { entryCount: number; size: number; offset: number | undefined },
): Directory | undefined {
  const offset = endRecord - record.size;
  const isAsStated = record.offset === undefined || record.offset === offset;
  return isAsStated ? { entryCount: record.entryCount, offset } : undefined;
}

function findZip64EndRecord(tail: Buffer, locator: number, tailStart: number): number | undefined {
  if (locator < 0 || tail.readUInt32LE(locator) !== ZIP64_LOCATOR) return undefined;
  const record = Number(tail.readBigUInt64LE(locator + 8)) - tailStart;
  const isInTail = record >= 0 && record + ZIP64_END_RECORD_LENGTH <= locator;
  return isInTail && tail.readUInt32LE(record) === ZIP64_END_RECORD ? record : undefined;
}

function readEntry(header: Buffer): ZipEntry {
  const extraStart = DIRECTORY_HEADER_LENGTH + header.readUInt16LE(28);
  const zip64 = zip64Numbers(header.subarray(extraStart, extraStart + header.readUInt16LE(30)));
  // Of these, in this order, the extra field holds those that did not fit.
  const [size, compressedSize, headerOffset] = [24, 20, 42].map((field) => {
    const number = header.readUInt32LE(field);
    return number === IN_ZIP64 ? (zip64.next().value ?? number) : number;
  });
  return {
    name: header.toString('utf8', DIRECTORY_HEADER_LENGTH, extraStart),
    isEncrypted: (header.readUInt16LE(8) & 1) === 1,
    method: header.readUInt16LE(10),
    crc32: header.readUInt32LE(16),
    compressedSize: compressedSize ?? 0,
    size: size ?? 0,
    headerOffset: headerOffset ?? 0,
  };
}

function* zip64Numbers(extra: Buffer): Generator<number, undefined> {
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) {
      for (let number = at + 4; number + 8 <= Math.min(end, extra.length); number += 8) {
        yield Number(extra.readBigUInt64LE(number));
      }
    }
    at = end;
  }
}
