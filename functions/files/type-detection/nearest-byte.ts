/**
 * Where the next of a few bytes is in a chunk, for runs that are long without any: native searches, which each pass
 * over a chunk once, however often they are asked.
 */
export class NearestByte {
  readonly #bytes: readonly number[];
  /** Of each byte, where it was found last. */
  readonly #found: Int32Array;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes;
    this.#found = new Int32Array(bytes.length);
  }

  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#found.fill(-1);
  }

  /** From a place on, which never goes back within a chunk; its length, where there is none. */
  from(at: number): number {
    const found = this.#found;
    let nearest = this.#chunk.length;
    for (let i = 0; i < found.length; i++) {
      let place = found[i] ?? 0;
      if (place < at) {
        place = this.#chunk.indexOf(this.#bytes[i] ?? 0, at);
        if (place === -1) place = this.#chunk.length;
        found[i] = place;
      }
      if (place < nearest) nearest = place;
    }
    return nearest;
  }
}
