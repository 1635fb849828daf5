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
  readonly #commas = new CsvWalker(',');
  readonly #semicolons = new CsvWalker(';');
  #hasNul = false;

  /** A byte order mark is left out: it is not part of the text. */
  write(chunk: Buffer): void {
    // Before the encoding: which of the two a chunk breaks first must not depend on where it is cut.
    this.#hasNul ||= chunk.includes(0);
    if (this.#hasNul || !this.#utf8.write(chunk)) return;
    this.#json.write(chunk);
    this.#commas.write(chunk);
    this.#semicolons.write(chunk);
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
    if (this.#commas.end() && isLaidOutAsTable(sample, ',')) return 'text/csv';
    if (this.#semicolons.end() && isLaidOutAsTable(sample, ';')) return 'text/csv';
    return isMarkdown(sample) ? 'text/markdown' : 'text/plain';
  }
}
