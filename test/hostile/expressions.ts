import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseSync } from '@swc/core';
import * as v from 'valibot';

export interface Expression {
  /** File and line, such as `functions/clock.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const literal = v.object({
  type: v.literal('RegExpLiteral'),
  pattern: v.string(),
  flags: v.string(),
  span: v.object({ start: v.number() }),
});
/** An expression that is built from a string at run time. It cannot be checked beforehand. */
const made = v.object({
  type: v.picklist(['NewExpression', 'CallExpression']),
  callee: v.object({ type: v.literal('Identifier'), value: v.literal('RegExp') }),
  span: v.object({ start: v.number() }),
});

export interface Expressions {
  readonly literals: readonly Expression[];
  /** The places that call `RegExp`. */
  readonly made: readonly string[];
}

/** Finds a file's regular expressions with a TypeScript parser. */
export function expressionsIn(file: string, root: string): Expressions {
  const text = readFileSync(file);
  // The parser counts bytes from the first statement. The added semicolon is always first, even before a `#!` line.
  const program = parseSync(`;${text.toString().replace(/^#!/, '//')}`, {
    syntax: 'typescript',
    target: 'es2024',
  });
  const placeOf = (start: number) => {
    const line = text
      .subarray(0, start - program.span.start - 1)
      .toString()
      .split('\n').length;
    return `${relative(root, file)}:${line}`;
  };
  const found = { literals: [] as Expression[], made: [] as string[] };
  for (const node of nodesOf(program)) {
    if (v.is(literal, node)) {
      found.literals.push({ place: placeOf(node.span.start), source: node.pattern, flags: node.flags });
    }
    if (v.is(made, node)) found.made.push(placeOf(node.span.start));
  }
  return found;
}

function* nodesOf(node: unknown): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* nodesOf(inner);
}
