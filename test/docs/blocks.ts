import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lexer, type Tokens, walkTokens } from 'marked';

export const ROOT = resolve(import.meta.dirname, '../..');
/** The README comes first, because the other pages use the variables that it sets. */
export const PAGES = ['README.md', ...globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: ROOT }).sort()];

/** A code block of a page, and what the comment above it says. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** `<!-- not run: REASON -->` */
  readonly notRun: string | undefined;
  /**
   * `<!-- prints: TEXT -->`: a part of the block's output. If the block keeps running, the next blocks wait for this
   * text.
   */
  readonly prints: string | undefined;
  /** `<!-- answers: 400 -->`: the status of an error that the block expects. */
  readonly answers: string | undefined;
  /** `<!-- printed -->`: the output of the block above, where `…` stands for anything. */
  readonly isPrinted: boolean;
}

const FENCE = /^ *```/;
const COMMENT = /<!-- (not run|prints|answers|printed)(?:: (.+?))? -->/g;

/** All code blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const lines = text.split('\n').flatMap((line, index) => (FENCE.test(line) ? [index + 1] : []));
  const blocks: Block[] = [];
  let comment = '';
  walkTokens(lexer(text), (token) => {
    // Each block has two fences, so every other one opens a block.
    if (isCode(token)) blocks.push(describe(page, lines[2 * blocks.length] ?? 0, token, comment));
    if (token.type !== 'space') comment = token.type === 'html' ? token.raw : '';
  });
  return blocks;
}

const isCode = (token: { readonly type: string }): token is Tokens.Code => token.type === 'code';

function describe(page: string, line: number, { lang = '', text }: Tokens.Code, comment: string): Block {
  const said = new Map([...comment.matchAll(COMMENT)].map(([, name = '', value = '']) => [name, value]));
  return {
    page,
    line,
    language: lang,
    text,
    notRun: said.get('not run'),
    prints: said.get('prints'),
    answers: said.get('answers'),
    isPrinted: said.has('printed'),
  };
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;
