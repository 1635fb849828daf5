import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import * as v from 'valibot';

interface LongFunction {
  /** The line where it begins, counted from 1. */
  readonly line: number;
  readonly lines: number;
  /** The comment right above it. */
  readonly comment: string;
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'Constructor',
  'MethodProperty',
  'GetterProperty',
  'SetterProperty',
]);

const NEWLINE = 0x0a;

/** SWC counts bytes from 1. */
const functionSchema = v.looseObject({
  type: v.pipe(
    v.string(),
    v.check((type) => FUNCTIONS.has(type)),
  ),
  span: v.object({ start: v.number(), end: v.number() }),
});

/** Finds functions and methods with more lines than this, including their heads. */
function longFunctions(source: string, limit: number): LongFunction[] {
  const lines = source.split('\n');
  if (lines.length <= limit) return [];
  const bytes = Buffer.from(source);
  const lineEnds = [...bytes.keys()].filter((at) => bytes[at] === NEWLINE);
  const lineAt = (offset: number): number => lineEnds.findLastIndex((end) => end < offset - 1) + 2;
  return functionsIn(parseSync(source, { syntax: 'typescript', target: 'es2024' })).flatMap(({ span }) => {
    const line = lineAt(span.start);
    const length = lineAt(span.end) - line + 1;
    return length > limit ? [{ line, lines: length, comment: commentAbove(lines, line) }] : [];
  });
}

function functionsIn(node: unknown): v.InferOutput<typeof functionSchema>[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(functionsIn);
  return 'span' in node && v.is(functionSchema, node) ? [node, ...inside] : inside;
}

function commentAbove(lines: readonly string[], line: number): string {
  const isComment = (text: string | undefined): boolean => /^\s*(\/\/|\/\*|\*)/.test(text ?? '');
  let first = line - 1;
  while (isComment(lines[first - 1])) first -= 1;
  return lines
    .slice(first, line - 1)
    .map((text) => text.replace(/^[\s/*]+/, ''))
    .join(' ');
}

const ROOT = resolve(import.meta.dirname, '..');
const LIMIT = 40;
/** The comment of a longer function contains these words, followed by a reason. */
const EXCUSE = /\breads better whole\b/i;

// The benches install other people's programs below their own.
const exclude = ['**/node_modules/**'];
const programs = globSync('{bench,bin,functions,lib,local}/**/*.ts', { cwd: ROOT, exclude });

test.each(programs)(
  '%s has no function over 40 lines that does not say why it reads better whole',
  (file) => {
    const found = longFunctions(readFileSync(join(ROOT, file), 'utf8'), LIMIT);
    expect(found.filter(({ comment }) => !EXCUSE.test(comment))).toEqual([]);
  },
);

describe('a function', () => {
  const body = (lines: number) => 'é();\n'.repeat(lines);
  const kinds: [string, (lines: number) => string][] = [
    ['function', (lines) => `export async function a() {\n${body(lines - 2)}}`],
    ['arrow', (lines) => `const a = () => {\n${body(lines - 2)}};`],
    ['callback', (lines) => `on('é', function () {\n${body(lines - 2)}});`],
    ['method', (lines) => `class A { static async a() {\n${body(lines - 2)}} }`],
    ['private method', (lines) => `class A { #a() {\n${body(lines - 2)}} }`],
    ['constructor', (lines) => `class A { constructor() {\n${body(lines - 2)}} }`],
    ['getter', (lines) => `class A { get a() {\n${body(lines - 2)}} }`],
    ['method of an object', (lines) => `const a = { a() {\n${body(lines - 2)}} };`],
    ['setter of an object', (lines) => `const a = { set a(value) {\n${body(lines - 2)}} };`],
  ];

  test.each(kinds)('that is a %s is too long from one line above the limit on', (_, write) => {
    const above = '// é\n\n';
    expect(longFunctions(above + write(5), 5)).toEqual([]);
    expect(longFunctions(above + write(6), 5)).toEqual([{ line: 3, lines: 6, comment: '' }]);
  });

  test('is found inside another', () => {
    const source = `function a() {\nreturn () => {\n${body(4)}};\n}`;
    expect(longFunctions(source, 5).map(({ line, lines }) => [line, lines])).toEqual([
      [1, 8],
      [2, 6],
    ]);
  });

  test('has the comment that stands right above it', () => {
    const [found] = longFunctions(`/**\n * One.\n * Two.\n */\nexport function a() {\n${body(4)}}`, 5);
    expect(found?.comment.trim()).toBe('One. Two.');
    const [other] = longFunctions(`// Of something else.\n\nfunction a() {\n${body(4)}}`, 5);
    expect(other?.comment).toBe('');
  });
});
