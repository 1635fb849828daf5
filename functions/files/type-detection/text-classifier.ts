import { isUtf8 } from 'node:buffer';
import type { AcceptedMimeType } from './accepted-types.ts';
import { isLaidOutAsTable } from './csv-layout.ts';
import { CsvWalker } from './csv-walker.ts';
import { JsonWalker } from './json-walker.ts';
import { isMarkdown } from './markdown-score.ts';

/**
 * Whether a stream is text (UTF-8 without NUL, over all of its bytes), and which kind of text. Each check
 * stops at its first violation, so a text costs what its structure needs and a binary file nothing.
 */
export class TextClassifier {
  readonly #utf8 = new Utf8Validator();
  readonly #json = new JsonWalker();
  /** Those that the text may still be. */
  #tables: readonly CsvWalker[] = [new CsvWalker(','), new CsvWalker(';')];
  #hasNul = false;

  /** A byte order mark is left out: it is not part of the text. */
  write(chunk: Buffer): void {
    const mayBeJson = this.#json.write(chunk);
    // JSON has no NUL. It is looked for before the encoding: which of the two a chunk breaks first must not depend on where
    // it is cut.
    this.#hasNul ||= !mayBeJson && chunk.includes(0);
    if (this.#hasNul || !this.#utf8.write(chunk)) {
      this.#tables = [];
      return;
    }
    this.#tables = this.#tables.filter((table) => table.write(chunk));
  }

  /**
   * Told of `sample` before the end, a text that has the commas of a table and does not look like one is not walked any
   * further: prose costs little.
   */
  leaveOutTables(sample: string): void {
    this.#tables = this.#tables.filter(({ delimiter }) => isLaidOutAsTable(sample, delimiter));
  }

  get hasNul(): boolean {
    return this.#hasNul;
  }

  isText(): boolean {
    return !this.#hasNul && this.#utf8.end();
  }

  /**
   * The kind of a text. JSON, NDJSON and CSV are decided by every byte; how CSV is laid out and the marks of
   * Markdown are looked for in `sample`, the text's beginning.
   */
  kind(sample: string): AcceptedMimeType {
    const json = this.#json.end();
    if (json === 'json') return 'application/json';
    if (json === 'ndjson') return 'application/x-ndjson';
    const isTable = this.#tables.some((table) => table.end() && isLaidOutAsTable(sample, table.delimiter));
    if (isTable) return 'text/csv';
    return isMarkdown(sample) ? 'text/markdown' : 'text/plain';
  }
}

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
