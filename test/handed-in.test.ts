import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..');

/** Everything by which two runs of a rule could differ. `egress/only-way-out.test.ts` covers the global `fetch`. */
const TAKEN = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b/;

/** Endpoints, and what wires them, create these and pass them to the rules. */
const HANDS_IN = /^functions\/(endpoints|deployed)\//;

/** Files that create one themselves, and why they may. */
const ALLOWED: Readonly<Record<string, string>> = {
  'functions/clock.ts': 'is the clock that endpoints hand in',
  'functions/aws/jittered-pause.ts': 'is the pause that endpoints hand in',
  'functions/aws/object-upload/object-requests.ts': 'has its randomness among the ports that tests replace',
  'functions/files/providers/anthropic-files.ts': 'needs a boundary of a form that no file can hold',
  'functions/files/providers/openai-files.ts': 'needs a boundary of a form that no file can hold',
};

const rules = globSync('functions/**/*.ts', { cwd: ROOT }).filter((file) => !HANDS_IN.test(file));
const takers = rules.filter((file) => TAKEN.test(readFileSync(join(ROOT, file), 'utf8')));

describe('the time, ids and randomness', () => {
  test('are arguments of every rule', () => {
    expect(takers.filter((file) => ALLOWED[file] === undefined)).toEqual([]);
  });

  test.each(Object.keys(ALLOWED))('%s is still one of the exceptions', (file) => {
    expect(takers).toContain(file);
  });

  test.each(['Date.now()', 'new Date()', 'const id = randomUUID();', 'wait(Math.random())'])(
    'would be found in %s',
    (text) => expect(text).toMatch(TAKEN),
  );

  test.each(['new Date(now)', 'now.getTime()', 'random()'])('are not created by %s', (text) =>
    expect(text).not.toMatch(TAKEN),
  );
});
