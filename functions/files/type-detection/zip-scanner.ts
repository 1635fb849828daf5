import { HeadWindow, TailWindow } from './byte-windows.ts';

export const CONTENT_TYPES_NAME = '[Content_Types].xml';
/** The central directory must lie within these last bytes of the file: 10,000 entries of 100 bytes. */
const ZIP_TAIL_LENGTH = 1024 * 1024;

const NAME = Buffer.from(CONTENT_TYPES_NAME);
const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
const LOCAL_HEADER_LENGTH = 30;
const NAMED_HEADER_LENGTH = LOCAL_HEADER_LENGTH + NAME.length;
const SIZES_FOLLOW_DATA = 0x08;
/** Compressed; what real packages have is under 20 KB. */
const LONGEST_ENTRY = 256 * 1024;
/**
 * Packages stored within the package have such entries, too. The package's own comes first or last in what
 * known writers make, and the last is within the tail.
 */
const MOST_ENTRIES = 8;

interface Entry {
  readonly offset: number;
  readonly dataStart: number;
  readonly data: HeadWindow;
}

/**
 * Keeps of a ZIP that streams by what it takes to read its content types in the end: the tail, with the
 * central directory, and the data of each `[Content_Types].xml` whose local header passed, wherever it was.
 * The directory says later which one counts. Local headers are not walked from one to the next: where sizes
 * follow the data, that would mean to inflate it all. Needs 3 MiB at most.
 */
export class ZipScanner {
  readonly tail = new TailWindow(ZIP_TAIL_LENGTH);
  readonly #entries: Entry[] = [];
  /** The end of what passed, where a header may have begun. */
  #seam: Buffer = Buffer.alloc(0);

  write(chunk: Buffer): void {
    const start = this.tail.total;
    const seamLength = this.#seam.length;
    const joined = Buffer.concat([this.#seam, chunk.subarray(0, NAMED_HEADER_LENGTH - 1)]);
    this.#findEntries(joined, start - seamLength);
    this.#findEntries(chunk, start);
    for (const { dataStart, data } of this.#entries) {
      data.write(chunk.subarray(Math.max(0, dataStart - start)));
    }
    const last = chunk.length < NAMED_HEADER_LENGTH ? joined : chunk;
    this.#seam = Buffer.from(last.subarray(-(NAMED_HEADER_LENGTH - 1)));
    this.tail.write(chunk);
  }

  /** The data of the entry whose local header is at `offset`, as far as it was kept. */
  entryData(offset: number, length: number): Buffer | undefined {
    const tailStart = this.tail.total - Math.min(this.tail.total, ZIP_TAIL_LENGTH);
    if (offset >= tailStart) return this.#dataInTail(offset - tailStart, length);
    const data = this.#entries.find((entry) => entry.offset === offset)?.data.bytes;
    return data !== undefined && data.length >= length ? data.subarray(0, length) : undefined;
  }

  #dataInTail(at: number, length: number): Buffer | undefined {
    const header = this.tail.bytes.subarray(at);
    if (!isEntryHeader(header, 0) || length > LONGEST_ENTRY) return undefined;
    const start = NAMED_HEADER_LENGTH + header.readUInt16LE(28);
    return start + length <= header.length ? header.subarray(start, start + length) : undefined;
  }

  #findEntries(bytes: Buffer, offset: number): void {
    let name = bytes.indexOf(NAME);
    while (name !== -1 && this.#entries.length < MOST_ENTRIES) {
      const at = name - LOCAL_HEADER_LENGTH;
      if (isEntryHeader(bytes, at)) this.#addEntry(bytes.subarray(at), offset + at);
      name = bytes.indexOf(NAME, name + 1);
    }
  }

  #addEntry(header: Buffer, offset: number): void {
    const length = header.readUInt32LE(18);
    const isLengthKnown = (header.readUInt16LE(6) & SIZES_FOLLOW_DATA) === 0 && length <= LONGEST_ENTRY;
    const dataStart = offset + NAMED_HEADER_LENGTH + header.readUInt16LE(28);
    this.#entries.push({
      offset,
      dataStart,
      data: new HeadWindow(isLengthKnown ? length : LONGEST_ENTRY),
    });
  }
}

function isEntryHeader(bytes: Buffer, at: number): boolean {
  return (
    at >= 0 &&
    at + NAMED_HEADER_LENGTH <= bytes.length &&
    bytes.subarray(at, at + LOCAL_HEADER.length).equals(LOCAL_HEADER) &&
    bytes.readUInt16LE(at + 26) === NAME.length &&
    bytes.subarray(at + LOCAL_HEADER_LENGTH, at + NAMED_HEADER_LENGTH).equals(NAME)
  );
}
