import { HeadWindow } from './byte-windows.ts';

const TAG_HEADER_LENGTH = 10;
/** Writers leave one, retaggers two; a file of nothing but tags must not cost more. */
const MOST_TAGS = 16;
/** Room for padding after the tag and for two frames of MP3 (at most 1,441 bytes each). */
const CONTENT_LENGTH = 16 * 1024;

/**
 * The length of the ID3v2 tag that `bytes` begin with, header and footer included; `undefined` where there is
 * none. The size has seven bits a byte (id3.org, ID3v2.4 structure, 3.1).
 */
export function id3TagLength(bytes: Uint8Array): number | undefined {
  const [i, d, three, major = 0, , flags = 0, ...size] = bytes.subarray(0, TAG_HEADER_LENGTH);
  const isTag = i === 0x49 && d === 0x44 && three === 0x33 && major >= 2 && major <= 4;
  if (!isTag || size.length < 4 || size.some((byte) => byte > 0x7f)) return undefined;
  const hasFooter = (flags & 0x10) !== 0;
  const content = size.reduce((total, byte) => total * 128 + byte, 0);
  return TAG_HEADER_LENGTH + content + (hasFooter ? TAG_HEADER_LENGTH : 0);
}

/** Skips the ID3v2 tags that a stream begins with, megabytes of cover art included, and keeps what follows. */
export class AfterId3 {
  #content = new HeadWindow(CONTENT_LENGTH);
  #header = new HeadWindow(TAG_HEADER_LENGTH);
  #tags = 0;
  #toSkip = 0;
  #size = 0;

  /** What follows the last tag. */
  get bytes(): Buffer {
    return this.#content.bytes;
  }

  /** Whether `bytes` reach the end of the file. */
  get isWhole(): boolean {
    return this.#size === this.#content.bytes.length;
  }

  write(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
      rest = this.#header.isFull ? this.#keep(rest) : this.#readHeader(rest);
    }
  }

  #keep(bytes: Uint8Array): Uint8Array {
    this.#content.write(bytes);
    this.#size += bytes.length;
    return bytes.subarray(bytes.length);
  }

  #readHeader(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, TAG_HEADER_LENGTH - this.#header.bytes.length);
    this.#header.write(taken);
    this.#keep(taken);
    const tagLength = this.#header.isFull ? id3TagLength(this.#header.bytes) : undefined;
    if (tagLength !== undefined && this.#tags++ < MOST_TAGS) {
      this.#toSkip = tagLength - TAG_HEADER_LENGTH;
      this.#header = new HeadWindow(TAG_HEADER_LENGTH);
      this.#content = new HeadWindow(CONTENT_LENGTH);
      this.#size = 0;
    }
    return bytes.subarray(taken.length);
  }
}
