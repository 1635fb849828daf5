import { crc32 } from 'node:zlib';

/** A smaller chunk costs more memory as an object of its own than it holds bytes. */
const SMALL = 4 * 1024;
const BLOCK = 64 * 1024;
const NOTHING = new Uint8Array(0);

/** A CRC-32 as S3 writes it: in base64. */
export function writtenCrc32(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc);
  return bytes.toString('base64');
}

/**
 * A part of an object, kept until S3 has it so that it can be sent again. It keeps the chunks themselves. Only small
 * ones are copied into a block, or a client that sends byte by byte would fill the memory with views.
 */
export class Part {
  readonly #capacity: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #crc = 0;
  #block = NOTHING;
  /** The range of the block that is not among the chunks yet. */
  #copied = { from: 0, to: 0 };

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  /** All bytes, in order. */
  get chunks(): readonly Uint8Array[] {
    this.#closeCopied();
    return this.#chunks;
  }

  get crc32(): number {
    return this.#crc;
  }

  /** CRC-32 as S3 writes it. */
  get checksum(): string {
    return writtenCrc32(this.#crc);
  }

  /** Takes as much as there is room for and returns the rest. */
  take(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, this.#capacity - this.#length);
    this.#length += taken.length;
    this.#crc = crc32(taken, this.#crc);
    if (taken.length < SMALL) this.#copy(taken);
    else {
      this.#closeCopied();
      this.#chunks.push(taken);
    }
    return bytes.subarray(taken.length);
  }

  #copy(bytes: Uint8Array): void {
    if (this.#copied.to + bytes.length > this.#block.length) {
      this.#closeCopied();
      this.#block = Buffer.allocUnsafe(BLOCK);
      this.#copied = { from: 0, to: 0 };
    }
    this.#block.set(bytes, this.#copied.to);
    this.#copied.to += bytes.length;
  }

  #closeCopied(): void {
    const { from, to } = this.#copied;
    if (from < to) this.#chunks.push(this.#block.subarray(from, to));
    this.#copied.from = to;
  }
}
