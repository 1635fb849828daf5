import { isUtf8 } from 'node:buffer';
import type { AcceptedMimeType } from './accepted-types.ts';
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

/**
 * Prose and code can have the same number of commas on every line, too. This looks at how the separators of a
 * text that passed the grammar are used, in a sample of its first lines. The text is not taken for CSV when
 *
 * 1. separators stand inside brackets in half of the lines or more, as in calls and signatures; or
 * 2. every line ends like a sentence or a statement; or
 * 3. every line ends in its only separator, as statements with `;` do; or
 * 4. every line has a tab: the tabs separate, and the commas are text; or
 * 5. most separators are followed by a space, as in prose, and nothing shows a table: neither a column of
 *    numbers, dates or blanks below the first line, nor three or more columns of one or two words.
 */
export function isLaidOutAsTable(sample: string, delimiter: ',' | ';'): boolean {
  const lines = sampleLines(sample.slice(0, LONGEST_SAMPLE));
  const rows = lines.map((line) => line.split(delimiter));
  const bracketed = rows.filter(separatesInsideBrackets).length;
  if (bracketed * 2 >= rows.length) return false;
  if (lines.every((line) => line.includes('\t'))) return false;
  if (lines.every((line) => ENDS_SENTENCE.test(withoutLast(line, delimiter)))) return false;
  if (rows.every((fields) => fields.length === 2 && fields[1]?.trim() === '')) return false;
  return !isSpacedLikeProse(rows) || hasDataColumn(rows) || hasShortCells(rows);
}

/** It may be nothing but separators: each of its fields is looked at several times. */
const LONGEST_SAMPLE = 12 * 1024;
const MOST_LINES = 200;
const ENDS_SENTENCE = /[.!?;:,{}\u3002\u2026]["')\]]?\s*$/;
const DATA = /^(?:[-+]?[\p{Sc}]?\d[\d.,:/%TZ+-]*|true|false|yes|no|null|n\/a|)$/iu;
const OPENING = /[([{]/g;
const CLOSING = /[)\]}]/g;

/** Quoted fields have their own commas and lines, so that a letter stands for each. */
function sampleLines(sample: string): string[] {
  const withoutQuoted = sample.replace(/"[^"]*"/g, 'q').replace(/"[^"]*$/, 'q');
  const lines = withoutQuoted.split(/\r?\n/, MOST_LINES).filter((line) => line !== '');
  // The sample may end inside a line.
  return lines.length > 2 ? lines.slice(0, -1) : lines;
}

/** A separator at the end is not punctuation: some writers end every record in one. */
function withoutLast(line: string, delimiter: string): string {
  return line.endsWith(delimiter) ? line.slice(0, -1) : line;
}

function separatesInsideBrackets(fields: readonly string[]): boolean {
  return fields
    .slice(0, -1)
    .some((field) => (field.match(OPENING)?.length ?? 0) > (field.match(CLOSING)?.length ?? 0));
}

function isSpacedLikeProse(rows: readonly (readonly string[])[]): boolean {
  const afterSeparators = rows.flatMap((fields) => fields.slice(1)).filter((field) => field !== '');
  const spaced = afterSeparators.filter((field) => /^\s/.test(field)).length;
  return spaced * 2 > afterSeparators.length;
}

function hasDataColumn(rows: readonly (readonly string[])[]): boolean {
  const [header, ...body] = rows;
  return (header ?? []).some(
    (_, column) => body.length > 0 && body.every((fields) => DATA.test((fields[column] ?? '').trim())),
  );
}

function hasShortCells(rows: readonly (readonly string[])[]): boolean {
  return rows.every(
    (fields) => fields.length >= 3 && fields.every((field) => field.trim().split(/\s+/).length <= 2),
  );
}
