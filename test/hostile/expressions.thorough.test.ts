import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import * as v from 'valibot';

interface Expression {
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

interface Expressions {
  readonly literals: readonly Expression[];
  /** The places that call `RegExp`. */
  readonly made: readonly string[];
}

/** Finds a file's regular expressions with a TypeScript parser. */
function expressionsIn(file: string, root: string): Expressions {
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

const ROOT = join(import.meta.dirname, '../..');
const READS_FROM_OUTSIDE = ['functions', 'lib/edge', 'local', 'bin'];
/** The test takes a minute on a busy machine. */
const DEADLINE_MS = 600_000;

/** Only the end of its process can stop a search that hangs. */
function weaknessesOf(expressions: readonly Expression[]): string[] {
  const program = join(import.meta.dirname, 'check-expressions.ts');
  const options = { input: JSON.stringify(expressions), encoding: 'utf8', timeout: DEADLINE_MS } as const;
  return execFileSync(process.execPath, ['--no-warnings', program], options).split('\n').slice(0, -1);
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...READS_FROM_OUTSIDE], {
  cwd: ROOT,
})
  .toString()
  .split('\n')
  .filter((file) => /\.[jt]s$/.test(file));
const found = files.map((file) => expressionsIn(join(ROOT, file), ROOT));
const literals = found.flatMap((file) => file.literals);

describe('the regular expressions that read outside text', () => {
  test('are found', () => {
    expect(literals.length).toBeGreaterThan(100);
    expect(literals).toContainEqual({
      place: expect.stringMatching(/^functions\/files\/type-detection\/file-signatures\.ts:\d+$/),
      source: '%PDF-\\d\\.\\d',
      flags: '',
    });
  });

  test('are all literals, since no other can be checked', () => {
    expect(found.flatMap((file) => file.made)).toEqual([]);
  });

  test('are linear', () => expect(weaknessesOf(literals)).toEqual([]), DEADLINE_MS);

  test(
    'would not be with one of these',
    () => {
      const bad = [
        { place: 'a', source: '([\\w:]+)\\s*=', flags: 'g' },
        { place: 'b', source: ';?\\s*$', flags: '' },
        { place: 'c', source: '(?=[\\w-]*\\d)[\\w-]{24,}', flags: 'i' },
        { place: 'd', source: '^(a|a)*$', flags: '' },
      ];
      expect(weaknessesOf(bad)).toEqual([
        expect.stringMatching(/^a: .* is 2nd degree polynomial, as with '0'\.repeat/),
        expect.stringMatching(/^b: .* is 2nd degree polynomial/),
        expect.stringMatching(/^c: .* is 2nd degree polynomial/),
        expect.stringMatching(/^d: .* is exponential/),
      ]);
    },
    DEADLINE_MS,
  );
});
