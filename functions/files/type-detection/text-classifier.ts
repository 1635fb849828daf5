import type { AcceptedMimeType } from './accepted-types.ts';
import { isLaidOutAsTable } from './csv-layout.ts';
import { CsvWalker } from './csv-walker.ts';
import { JsonWalker } from './json-walker.ts';
import { isMarkdown } from './markdown-score.ts';
import { Utf8Validator } from './utf8-validator.ts';

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
