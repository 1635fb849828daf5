/** 1 MiB of stack, whatever the text's size; no known writer nests its data past a few thousand levels. */
export const DEEPEST_NESTING = 8 * 1024 * 1024;

/** The open brackets of a JSON text, one bit each, so that hostile nesting costs an eighth of its bytes. */
export class NestingStack {
  #bits = new Uint8Array(64);
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** `false` when it is full. */
  push(isObject: boolean): boolean {
    if (this.#depth === DEEPEST_NESTING) return false;
    const index = this.#depth >> 3;
    if (index === this.#bits.length) this.#grow();
    const mask = 1 << (this.#depth & 7);
    const byte = this.#bits[index] ?? 0;
    this.#bits[index] = isObject ? byte | mask : byte & ~mask;
    this.#depth++;
    return true;
  }

  pop(): void {
    this.#depth--;
  }

  get isInObject(): boolean {
    const top = this.#depth - 1;
    return (((this.#bits[top >> 3] ?? 0) >> (top & 7)) & 1) === 1;
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bits.length * 2);
    grown.set(this.#bits);
    this.#bits = grown;
  }
}
