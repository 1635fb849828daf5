import { parseSync } from '@swc/core';
import * as v from 'valibot';

export interface LongFunction {
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
export function longFunctions(source: string, limit: number): LongFunction[] {
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
