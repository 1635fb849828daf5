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
