import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lexer, type Tokens, walkTokens } from 'marked';

export const ROOT = resolve(import.meta.dirname, '../..');
/** The README first: what it sets is there on all pages after it. */
export const PAGES = ['README.md', ...globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: ROOT }).sort()];

/** A block of code of a page, and what the comment right above it says of it. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** `<!-- not run: REASON -->` */
  readonly notRun: string | undefined;
  /** `<!-- prints: TEXT -->`: a part of what it prints, for which its page's next blocks wait where it goes on. */
  readonly prints: string | undefined;
  /** `<!-- answers: 400 -->`: an answer that is no success and is meant to be none. */
  readonly answers: string | undefined;
  /** `<!-- printed -->`: what the block above prints, where `…` stands for anything. */
  readonly isPrinted: boolean;
}

const FENCE = /^ *```/;
const COMMENT = /<!-- (not run|prints|answers|printed)(?:: (.+?))? -->/g;

/** All blocks of code of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const lines = text.split('\n').flatMap((line, index) => (FENCE.test(line) ? [index + 1] : []));
  const blocks: Block[] = [];
  let comment = '';
  walkTokens(lexer(text), (token) => {
    // Every other fence opens a block.
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
