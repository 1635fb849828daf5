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
