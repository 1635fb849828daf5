/** Writes the syntax elements of an H.264 raw byte sequence payload (ITU-T H.264, 7.2 and 9.1). */
export class BitWriter {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  #partial = 0;
  #partialBits = 0;

  /** u(n): an unsigned number of up to 32 bits, most significant bit first. */
  u(value: number, bits: number): this {
    for (let shift = bits - 1; shift >= 0; shift--) this.#bit((value >>> shift) & 1);
    return this;
  }

  /** ue(v): an unsigned Exp-Golomb code. */
  ue(value: number): this {
    const codeNumber = value + 1;
    const significantBits = 32 - Math.clz32(codeNumber);
    return this.u(0, significantBits - 1).u(codeNumber, significantBits);
  }

  /** se(v): a signed Exp-Golomb code. */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** pcm_alignment_zero_bit, up to the next whole byte. */
  alignWithZeros(): this {
    while (this.#partialBits !== 0) this.#bit(0);
    return this;
  }

  /** Whole bytes; the writer must be aligned. */
  bytes(source: Uint8Array): this {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
    return this;
  }

  /** Closes with rbsp_trailing_bits. The result is a view that the next `reset` makes stale. */
  finish(): Uint8Array {
    this.#bit(1);
    this.alignWithZeros();
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts over in the same memory, so that a clip's frames share one buffer. */
  reset(): this {
    this.#length = 0;
    this.#partial = 0;
    this.#partialBits = 0;
    return this;
  }

  #bit(bit: number): void {
    this.#partial = (this.#partial << 1) | bit;
    if (++this.#partialBits < 8) return;
    this.#reserve(1);
    this.#bytes[this.#length++] = this.#partial;
    this.#partial = 0;
    this.#partialBits = 0;
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + extra));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
