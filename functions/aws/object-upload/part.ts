import { crc32 } from 'node:zlib';
import type { BlockPool } from './block-pool.ts';

/** A CRC-32 as S3 writes it: in base64. */
export function writtenCrc32(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc);
  return bytes.toString('base64');
}

/**
 * A part of an object, kept until S3 has it so that it can be sent again. Its bytes are copied into blocks of a pool.
 * So whoever gave them may use their memory again, and a client that sends byte by byte takes no more memory than another.
 */
export class Part {
  readonly #capacity: number;
  readonly #pool: BlockPool;
  #blocks: Buffer[] = [];
  #length = 0;
  #crc = 0;

  constructor(capacity: number, pool: BlockPool) {
    this.#capacity = capacity;
    this.#pool = pool;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  /** All bytes, in order, and none that a block holds from before. Valid until `giveBack`. */
  get chunks(): readonly Uint8Array[] {
    return this.#blocks.map((block, i) => block.subarray(0, this.#length - i * this.#pool.blockBytes));
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
    this.#crc = crc32(taken, this.#crc);
    for (let rest = taken; rest.length > 0; ) rest = this.#copyIntoBlock(rest);
    return bytes.subarray(taken.length);
  }

  /** Once S3 has the part and nobody reads `chunks` any more: the blocks are filled with other bytes from then on. */
  giveBack(): void {
    this.#pool.giveBack(this.#blocks);
    this.#blocks = [];
  }

  #copyIntoBlock(bytes: Uint8Array): Uint8Array {
    const at = this.#length % this.#pool.blockBytes;
    if (at === 0) this.#blocks.push(this.#pool.take());
    const copied = bytes.subarray(0, this.#pool.blockBytes - at);
    this.#blocks.at(-1)?.set(copied, at);
    this.#length += copied.length;
    return bytes.subarray(copied.length);
  }
}
