/** Lines are looked at up to here, so that a hostile one costs no more than a long one. */
const LONGEST_LINE = 1_000;
/** A sample of 64 KiB has as many when its lines are of 32 characters. */
const MOST_LINES = 2_000;
const KINDS_OF_MARKDOWN = 2;

type Kind = 'heading' | 'subheading' | 'fence' | 'table' | 'link' | 'strong' | 'code' | 'list';

/**
 * Whether a text has Markdown's structure: two or more *kinds* of mark, outside fenced code, of
 *
 * - headings: `# Title` after a blank line, or underlined with `===`; a `##` and deeper is a kind of its own
 * - closed fences, tables with a delimiter row, links and images, `**strong**` text, `` `code` `` spans
 * - lists of two items or more and block quotes, which are one kind, as plain mail has them too
 *
 * One kind alone is in many a plain text: `# comment` in a script, a list in a note. For the same reason a text
 * is plain when it begins with `#!`, or when a third of its lines read as code or settings.
 */
export function isMarkdown(sample: string): boolean {
  if (sample.startsWith('#!')) return false;
  const lines = sample.split('\n', MOST_LINES).map((line) => line.slice(0, LONGEST_LINE).trimEnd());
  const kinds = new Set<Kind>();
  const prose = withoutFences(lines, kinds);
  if (isMostlyCode(prose)) return false;
  for (const [index, line] of prose.entries()) {
    if (line === '') continue;
    addBlockKinds(kinds, prose[index - 1] ?? '', line, prose[index + 1] ?? '');
    addSpanKinds(kinds, line);
  }
  return kinds.size >= KINDS_OF_MARKDOWN;
}

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^`]*$/;

/** Blank lines stand for the code. A fence that is never closed is none. */
function withoutFences(lines: readonly string[], kinds: Set<Kind>): string[] {
  const prose = [...lines];
  let opened: { line: number; fence: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) continue;
    if (opened === undefined) opened = { line: index, fence };
    else if (fence.startsWith(opened.fence) && line.trim() === fence) {
      kinds.add('fence');
      prose.fill('', opened.line, index + 1);
      opened = undefined;
    }
  }
  return prose;
}

const CODE_LINES = [
  /^\s*(?:\/\/|\/\*)|^\s+\*(?:\s|$|\/)/,
  /[;{}]$/,
  /^\s*[\w.-]+ *[:=] *\S/,
  /^\s*(?:def|class|if|elif|else|for|while|try|except|with)\b.*:$/,
  /^\s*(?:import|from|#include|using|package) *[\w.<"]/,
];

function isMostlyCode(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line !== '');
  return filled.filter((line) => CODE_LINES.some((code) => code.test(line))).length * 3 > filled.length;
}

const HEADING = /^ {0,3}(#{1,6}) +\S/;
const UNDERLINE = /^={3,}$/;
const TABLE_DELIMITERS = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)+\|?$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +\S/;
const NESTED_ITEM = /^\s+(?:[-*+]|\d{1,9}[.)]) +\S/;
const QUOTE = /^ {0,3}> ?\S/;

function addBlockKinds(kinds: Set<Kind>, before: string, line: string, after: string): void {
  const heading = HEADING.exec(line)?.[1];
  // Lines of one level on end are a comment.
  if (heading !== undefined && before === '' && HEADING.exec(after)?.[1] !== heading) {
    kinds.add(heading.length === 1 ? 'heading' : 'subheading');
  }
  // Ruled lines across the page are no underlines.
  if (UNDERLINE.test(line) && Math.abs(line.length - before.length) <= 3) kinds.add('heading');
  if (line.includes('|') && TABLE_DELIMITERS.test(after)) kinds.add('table');
  const continuesList = LIST_ITEM.test(after) || NESTED_ITEM.test(after);
  const startsBlock = before === '' || HEADING.test(before);
  if (LIST_ITEM.test(line) && continuesList && startsBlock) kinds.add('list');
  if (QUOTE.test(line) && startsBlock) kinds.add('list');
}

const LINK = /(?:^|[\s!(*_|>-])\[[^[\]]+\]\([^()\s]+(?: "[^"]*")?\)/;
const STRONG = /(?:^|[\s(|>_])\*\*[^\s*](?:[^*]*[^\s*])?\*\*(?:$|[\s.,:;!?)|_])/;
const CODE = /(?:^|[\s(|*])`[^`\s](?:[^`]*[^`\s])?`(?:$|[\s.,:;!?)|*])/;

function addSpanKinds(kinds: Set<Kind>, line: string): void {
  // Indented by four or more: code, unless a list goes on.
  if (/^(?: {4}|\t)/.test(line) && !NESTED_ITEM.test(line)) return;
  if (LINK.test(line)) kinds.add('link');
  if (STRONG.test(line)) kinds.add('strong');
  if (CODE.test(line)) kinds.add('code');
}
