import { isUtf8 } from 'node:buffer';

const LONGEST_SEQUENCE = 4;

/** Checks the UTF-8 of a text that arrives in chunks, which may cut a code point anywhere. */
export class Utf8Validator {
  /** The bytes of a code point that the last chunk cut. */
  #cut: Uint8Array = new Uint8Array(0);
  #isValid = true;

  /** `false` from the first violation on: the bytes after it make no difference. */
  write(chunk: Uint8Array): boolean {
    if (!this.#isValid) return false;
    const rest = this.#cut.length === 0 ? chunk : this.#completeCut(chunk);
    const whole = rest.length - cutLength(rest);
    if (!isUtf8(rest.subarray(0, whole))) this.#isValid = false;
    if (whole < rest.length) this.#cut = Uint8Array.from(rest.subarray(whole));
    return this.#isValid;
  }

  end(): boolean {
    return this.#isValid && this.#cut.length === 0;
  }

  /** Gives what follows the completed code point; nothing, when it is still cut. */
  #completeCut(chunk: Uint8Array): Uint8Array {
    const missing = sequenceLength(this.#cut[0] ?? 0) - this.#cut.length;
    const sequence = Buffer.concat([this.#cut, chunk.subarray(0, missing)]);
    const isCut = chunk.length < missing;
    this.#cut = isCut ? sequence : new Uint8Array(0);
    if (!isCut && !isUtf8(sequence)) this.#isValid = false;
    return chunk.subarray(missing);
  }
}

/** How many bytes at the end begin a code point that needs more of them. */
function cutLength(bytes: Uint8Array): number {
  for (let length = 1; length < LONGEST_SEQUENCE && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return sequenceLength(byte) > length ? length : 0;
  }
  return 0;
}

/** By its first byte; what is not the first byte of any counts as one and is refused when it is checked. */
function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
