/** Keeps the first `capacity` bytes of a stream; copies, so that callers may use their chunks again. */
export class HeadWindow {
  readonly #capacity: number;
  #buffer: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#buffer = Buffer.allocUnsafe(Math.min(capacity, 1024));
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  write(chunk: Uint8Array): void {
    if (this.isFull) return;
    const taken = chunk.subarray(0, this.#capacity - this.#length);
    this.#reserve(this.#length + taken.length);
    this.#buffer.set(taken, this.#length);
    this.#length += taken.length;
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.#capacity, Math.max(length, this.#buffer.length * 2)));
    grown.set(this.bytes);
    this.#buffer = grown;
  }
}

/** Keeps the last `capacity` bytes of a stream; copies, too. */
export class TailWindow {
  readonly #ring: Buffer;
  #total = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafe(capacity);
  }

  /** The bytes that have passed in all. */
  get total(): number {
    return this.#total;
  }

  get bytes(): Buffer {
    const length = Math.min(this.#total, this.#ring.length);
    if (length < this.#ring.length) return this.#ring.subarray(0, length);
    const start = this.#total % this.#ring.length;
    return Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, start)]);
  }

  write(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#ring.length));
    const start = (this.#total + chunk.length - kept.length) % this.#ring.length;
    const untilWrap = this.#ring.length - start;
    this.#ring.set(kept.subarray(0, untilWrap), start);
    this.#ring.set(kept.subarray(untilWrap), 0);
    this.#total += chunk.length;
  }
}
