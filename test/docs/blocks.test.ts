import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import { queries } from '../../lib/monitoring/queries.ts';
import { type Block, blocksOf, PAGES, placeOf, ROOT } from './blocks.ts';

const blocks = PAGES.flatMap(blocksOf);
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const titled = (some: readonly Block[], title: (block: Block) => string) =>
  some.map((block) => [title(block), block] as const);

/** These blocks are no code: `text` holds pictures and plain answers, `http` shows requests. */
const NOT_CODE = ['text', 'http'];
const samples = globSync(['docs/*/*.{ts,py}'], { cwd: ROOT });
const tests = globSync(['test/**/*.{ts,py}', 'docs/**/*.test.ts'], { cwd: ROOT })
  .map((file) => read(file))
  .join('\n');

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** A quote may be indented differently from its source. */
const withoutMargins = (text: string): string => text.replaceAll(/^ +/gm, '').trim();

test('every block of code is found, and names its language', () => {
  for (const page of PAGES) {
    const fences = read(page).match(/^ *```/gm)?.length ?? 0;
    expect([page, blocksOf(page).length]).toEqual([page, fences / 2]);
  }
  const known = new Set(['bash', 'json', 'ts', 'python', 'yaml', 'hcl', ...NOT_CODE]);
  const asked = Object.values(queries).map(({ text }) => text);
  const isQuery = ({ text }: Block) => asked.includes(text.replaceAll('\n', ' '));
  expect(blocks.filter((block) => !known.has(block.language) && !isQuery(block)).map(placeOf)).toEqual([]);
});

describe('what is not run', () => {
  const unrun = blocks.filter(({ notRun }) => notRun !== undefined);
  test.each(titled(unrun, (block) => `${placeOf(block)}: ${block.notRun}`))('%s', (_, { notRun }) => {
    expect(notRun?.length).toBeGreaterThan(20);
  });
});

describe('a shell script', () => {
  const scripts = inLanguage('bash');
  const faults = faultsIn(scripts.map(({ text }) => text));
  test.each(scripts.map((block, at) => [placeOf(block), faults[at]]))('is %s', (_, fault) => {
    expect(fault).toBe('');
  });

  test('with a fault is found', () => {
    const found = faultsIn(['if true', 'true', 'echo "', '}', '# none']);
    expect(found.map((fault) => fault !== '')).toEqual([true, false, true, true, false]);
  });
});

/** What bash says about each script that it cannot parse, else ''. One process asks for all: Node.js takes long to start one. */
function faultsIn(scripts: readonly string[]): string[] {
  const each = `for script; do
    if fault=$(bash -n -c "$script" 2>&1); then fault=; else fault="exit $?: $fault"; fi
    printf '%s\\0' "$fault"
  done`;
  const said = execFileSync('bash', ['-c', each, 'bash', ...scripts], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

test.each(titled(inLanguage('json'), placeOf))('%s is JSON', (_, { text, isPrinted }) => {
  // A page shows only a part of an answer. The contract tests compare that part with the real answer.
  const json = isPrinted ? text.replaceAll(/, …\s*(?=[}\]])/g, '') : text;
  expect(() => JSON.parse(json)).not.toThrow();
});

test.each(titled(inLanguage('ts', 'python'), placeOf))(
  '%s is what a test runs',
  (_, { text, notRun, language }) => {
    if (notRun !== undefined && language === 'ts') {
      expect(() => transformSync(text, { loader: 'ts' })).not.toThrow();
      return;
    }
    if (notRun !== undefined) {
      execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: text });
      return;
    }
    const source = samples.find((file) => withoutMargins(read(file)).includes(withoutMargins(text)));
    expect(source).toBeDefined();
    const name = source?.replace(/^docs\/[\w-]+\//, '') ?? '';
    expect([name, tests.includes(name)]).toEqual([name, true]);
  },
);
