import { InvalidRequest } from '../../http/errors.ts';
import { HeadWindow } from '../type-detection/byte-windows.ts';

/** A body that is no multipart form: `why` completes "The multipart body is malformed: …". */
export class MalformedMultipart extends InvalidRequest {
  constructor(why: string, cause?: unknown) {
    super(`The multipart body is malformed: ${why}`, { cause });
  }
}

export type MultipartEvent =
  /** The header block of a part, without the empty line that ends it. */
  | { readonly kind: 'part'; readonly header: Buffer }
  /** A piece of the part's content: a view of the chunk it came in, never a copy. */
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

type Phase = 'preamble' | 'delimiter' | 'header' | 'content' | 'epilogue';

const LONGEST_HEADER = 16 * 1024;
/** White space that a gateway may add behind a delimiter. */
const LONGEST_PADDING = 256;
/**
 * Node.js searches for the first byte alone, at the speed of memory, until it has met two for each byte of the delimiter;
 * then it goes over to an algorithm that is three times slower, and much slower over what is almost a delimiter. A piece
 * of a binary file holds 24 of them, too few even for a boundary of 8 letters; smaller pieces would cost more calls.
 */
const PIECE = 6 * 1024;
const CRLF = Buffer.from('\r\n');
const END_OF_HEADER = Buffer.from('\r\n\r\n');
/** A block that fits may be followed by its end, and one that does not must show that it is too long. */
const HEADER_WINDOW = LONGEST_HEADER + 2 * END_OF_HEADER.length + 1;
const NOTHING = Buffer.alloc(0);
const [CR, DASH, SPACE, TAB] = [0x0d, 0x2d, 0x20, 0x09] as const;

/**
 * Takes a multipart body apart as it comes in, in constant memory, whatever the chunks (RFC 2046 §5.1.1).
 *
 * The delimiter is searched for with `indexOf`. Where a chunk ends within what may be one, the bytes are not
 * kept: how many of the delimiter's own they match says all, since its CR is the only one in it, and a match
 * that fails can begin anew only behind it.
 */
export class MultipartScanner {
  readonly #delimiter: Buffer;
  readonly #indexOfDelimiter: (bytes: Buffer) => number;
  #phase: Phase = 'preamble';
  /** How many bytes of the delimiter the last chunk ended with. The very first may lack its line break. */
  #matched = CRLF.length;
  /** Of a delimiter's line, as far as it has come. */
  #pending: Buffer = NOTHING;
  /** Of a header block: it grows by doubling, or the copies of one that comes byte by byte would add up to its square. */
  #header = new HeadWindow(HEADER_WINDOW);

  constructor(boundary: string) {
    const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#delimiter = delimiter;
    this.#indexOfDelimiter =
      delimiter.length < SHORTEST_FOR_INDEX_OF ? shortSearch(delimiter) : (bytes) => bytes.indexOf(delimiter);
  }

  /** @throws MalformedMultipart */
  *push(chunk: Buffer): Generator<MultipartEvent> {
    let rest = chunk;
    while (rest.length > 0 && this.#phase !== 'epilogue') {
      if (this.#phase === 'delimiter') rest = this.#endDelimiter(rest);
      else if (this.#phase === 'header') rest = yield* this.#endHeader(rest);
      else rest = yield* this.#search(rest);
    }
  }

  /** @throws MalformedMultipart when the closing delimiter has not come */
  end(): void {
    if (this.#phase !== 'epilogue') throw new MalformedMultipart('its closing delimiter is missing');
  }

  /** Passes content on up to the next delimiter; what comes before the first one is dropped. */
  *#search(chunk: Buffer): Generator<MultipartEvent, Buffer> {
    const before = this.#matched;
    if (before > 0) {
      const more = this.#countMatching(chunk, 0, before);
      if (before + more === this.#delimiter.length) return yield* this.#endContent(chunk.subarray(more));
      this.#matched = more === chunk.length ? before + more : 0;
      if (this.#matched > 0) return NOTHING;
      yield* this.#content(this.#delimiter.subarray(0, before));
    }
    const found = this.#find(chunk);
    if (found !== -1) {
      yield* this.#content(chunk.subarray(0, found));
      return yield* this.#endContent(chunk.subarray(found + this.#delimiter.length));
    }
    this.#matched = this.#matchAtEnd(chunk);
    yield* this.#content(chunk.subarray(0, chunk.length - this.#matched));
    return NOTHING;
  }

  /** In pieces, see `PIECE`. */
  #find(chunk: Buffer): number {
    const overlap = this.#delimiter.length - 1;
    for (let at = 0; at < chunk.length; at += PIECE) {
      const found = this.#indexOfDelimiter(chunk.subarray(at, at + PIECE + overlap));
      if (found !== -1) return at + found;
    }
    return -1;
  }

  /** How many bytes of the delimiter the chunk ends with: not all of them, for those were searched for before. */
  #matchAtEnd(chunk: Buffer): number {
    const at = chunk.lastIndexOf(CR);
    // Without a CR this is the place before the first byte, where nothing matches.
    const matching = this.#countMatching(chunk, at, 0);
    return at + matching === chunk.length ? matching : 0;
  }

  /** How many bytes of the chunk, from `at` on, go on with the delimiter behind its first `matched` bytes. */
  #countMatching(chunk: Buffer, at: number, matched: number): number {
    let more = 0;
    while (at + more < chunk.length && chunk[at + more] === this.#delimiter[matched + more]) more++;
    return more;
  }

  *#content(bytes: Buffer): Generator<MultipartEvent> {
    if (this.#phase === 'content' && bytes.length > 0) yield { kind: 'data', bytes };
  }

  *#endContent(rest: Buffer): Generator<MultipartEvent, Buffer> {
    if (this.#phase === 'content') yield { kind: 'end' };
    this.#phase = 'delimiter';
    this.#matched = 0;
    this.#pending = NOTHING;
    return rest;
  }

  /** Behind a delimiter comes `--` and the end, or a line break and a part. */
  #endDelimiter(chunk: Buffer): Buffer {
    const line = Buffer.concat([this.#pending, chunk]);
    if (line[0] === DASH && (line.length === 1 || line[1] === DASH)) {
      if (line.length > 1) this.#phase = 'epilogue';
      this.#pending = line;
      return NOTHING;
    }
    let padding = 0;
    while (line[padding] === SPACE || line[padding] === TAB) padding++;
    const end = line.subarray(padding, padding + CRLF.length);
    if (padding > LONGEST_PADDING || !CRLF.subarray(0, end.length).equals(end)) {
      throw new MalformedMultipart('a delimiter is followed by neither CRLF nor "--"');
    }
    this.#pending = line;
    if (end.length < CRLF.length) return NOTHING;
    // The line break stays: a part without headers has but one more before its content.
    this.#phase = 'header';
    this.#header = new HeadWindow(HEADER_WINDOW);
    this.#pending = NOTHING;
    return line.subarray(padding);
  }

  *#endHeader(chunk: Buffer): Generator<MultipartEvent, Buffer> {
    const held = this.#header.bytes.length;
    this.#header.write(chunk);
    const block = this.#header.bytes;
    const end = block.indexOf(END_OF_HEADER, Math.max(0, held - END_OF_HEADER.length + 1));
    // What ends it may have begun to come already.
    const earliestEnd = end === -1 ? block.length - END_OF_HEADER.length + 1 : end;
    if (earliestEnd > CRLF.length + LONGEST_HEADER) {
      throw new MalformedMultipart(`the headers of a part are longer than ${LONGEST_HEADER} bytes`);
    }
    if (end === -1) return NOTHING;
    yield { kind: 'part', header: block.subarray(CRLF.length, Math.max(CRLF.length, end)) };
    this.#phase = 'content';
    return chunk.subarray(end + END_OF_HEADER.length - held);
  }
}

/** `indexOf` looks for what is shorter by its first byte alone, and takes 20 times as long over nothing but that byte. */
const SHORTEST_FOR_INDEX_OF = 8;

/**
 * Where a few bytes begin in many, or -1. Puts a zero behind each byte, so that they are long enough for the other
 * algorithms of `indexOf`. Every search in JavaScript was slower over the bytes that cost it most. An expression would
 * take half as long over them, but every expression that reads outside text is a literal, so that it can be checked.
 */
export function shortSearch(wanted: Uint8Array): (bytes: Uint8Array) => number {
  // Without the last zero: `indexOf` begins with the last byte, and a zero is everywhere.
  const wideWanted = Buffer.from(Uint16Array.from(wanted).buffer).subarray(0, -1);
  let wide = new Uint16Array(0);
  return (bytes) => {
    if (wide.length < bytes.length) wide = new Uint16Array(bytes.length);
    wide.set(bytes);
    const text = Buffer.from(wide.buffer, 0, 2 * bytes.length);
    let found = text.indexOf(wideWanted);
    // At an odd place it begins with one of these zeros.
    while (found % 2 === 1) found = text.indexOf(wideWanted, found + 1);
    return found === -1 ? -1 : found / 2;
  };
}
