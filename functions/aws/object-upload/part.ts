import { crc32 } from 'node:zlib';

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

/** Four parts are enough, however many uploads run: a block that comes back is soon taken again. */
const KEPT_BYTES = 32 * 1024 ** 2;
const BLOCK_BYTES = 256 * 1024;

/**
 * Memory for parts, in blocks that are used again: new memory for each part would cost page faults, and the garbage
 * collector would mark the heap for each 64 MiB of it.
 */
export class BlockPool {
  readonly blockBytes: number;
  readonly #mostKept: number;
  readonly #kept: Buffer[] = [];

  constructor(blockBytes = BLOCK_BYTES, keptBytes = KEPT_BYTES) {
    this.blockBytes = blockBytes;
    this.#mostKept = Math.floor(keptBytes / blockBytes);
  }

  /** Still holds what was last written into it: nothing of it may be read before it is written. */
  take(): Buffer {
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(this.blockBytes);
  }

  /** Takes back blocks that nobody reads or writes any more. */
  giveBack(blocks: readonly Buffer[]): void {
    this.#kept.push(...blocks.slice(0, this.#mostKept - this.#kept.length));
  }
}

/** The polynomial of CRC-32, its bits in reverse, as zlib and S3 have it. */
const POLYNOMIAL = 0xedb88320;
/** x⁰ and x⁸, their bits in reverse: the highest bit is the coefficient of x⁰. */
const ONE = 0x80000000;
const ONE_BYTE = 0x00800000;

/**
 * The CRC-32 of two stretches of bytes, one behind the other, from their own: bytes that follow multiply what was
 * before by a power of x, so that no byte is read twice.
 */
export function crc32OfBoth(first: number, second: number, secondLength: number): number {
  return (multiply(first, shiftOf(secondLength)) ^ second) >>> 0;
}

/** x to the power of as many bits as there are in so many bytes, by repeated squaring. */
function shiftOf(bytes: number): number {
  let shift = ONE;
  let square = ONE_BYTE;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = multiply(shift, square);
    square = multiply(square, square);
  }
  return shift;
}

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product;
}
