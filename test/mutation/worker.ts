// Tries one file of fast tests on the mutants that its parent sends. Each gets only the tests that reach it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { mocks, type Test, tests } from './fast-jest.ts';
import { type Said, taskSchema } from './messages.ts';
import { withMutants } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A run that takes longer than this and ten times as long as without a mutant counts as endless. */
const LEAST_PATIENCE = 5_000;
const BASELINE_PATIENCE = 240_000;

interface Measured extends Test {
  readonly reached: Set<number>;
  readonly milliseconds: number;
}

// Tests may fake these.
const clock = performance;
const exit = process.exit.bind(process);
const say = (said: Said) => process.send?.(said);

const [given] = await once(process, 'message');
const { testFile, mutants } = v.parse(taskSchema, given);
const byUrl = Map.groupBy(mutants, ({ file }) => pathToFileURL(join(ROOT, file)).href);

let isOn: number | undefined;
let reached = new Set<number>();
Object.assign(globalThis, {
  __mutant: (id: number) => {
    if (isOn === undefined) reached.add(id);
    return id === isOn;
  },
  __mocks: mocks,
});

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return next(join(import.meta.dirname, 'fast-jest.ts'), context);
    const name = [...mocks.keys()].find(
      (each) => specifier === each || isPathTo(each, specifier, context.parentURL),
    );
    if (name === undefined) return next(specifier, context);
    return { url: `mock:${name}`, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (url.startsWith('mock:')) {
      const name = url.slice('mock:'.length);
      const exports = Object.keys(mocks.get(name) ?? {}).map(
        (each) => `export const ${each} = mocked.${each};`,
      );
      const source = `const mocked = __mocks.get(${JSON.stringify(name)});\n${exports.join('\n')}`;
      return { format: 'module', source, shortCircuit: true };
    }
    const ofFile = byUrl.get(url);
    if (ofFile === undefined) return next(url, context);
    const source = withMutants(readFileSync(new URL(url), 'utf8'), ofFile);
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

function isPathTo(name: string, specifier: string, parent: string | undefined): boolean {
  return specifier.startsWith('.') && new URL(specifier, parent).pathname.endsWith(`/${name}`);
}

// A mutant may leave rejected promises. They must not end the next mutant's run.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', () => undefined);

await import(pathToFileURL(join(ROOT, testFile)).href);
await tryAll(await measure());
exit();

/** @returns the tests that pass once and again, quickest first */
async function measure(): Promise<Measured[]> {
  const measured: Measured[] = [];
  const leftOut: string[] = [];
  for (const test of tests) {
    reached = new Set();
    const begun = clock.now();
    const isPassed = await passes(test, BASELINE_PATIENCE);
    if (isPassed) measured.push({ ...test, reached, milliseconds: clock.now() - begun });
    else leftOut.push(test.name);
  }
  measured.sort((a, b) => a.milliseconds - b.milliseconds);
  const kept: Measured[] = [];
  for (const test of measured) {
    reached = test.reached;
    if (await passes(test, BASELINE_PATIENCE)) kept.push(test);
    else leftOut.push(test.name);
  }
  reached = new Set();
  say({ reached: [...new Set(kept.flatMap((test) => [...test.reached]))], leftOut });
  return kept;
}

/** A test that fails afterwards too, without the mutant, may fail for what an earlier one has left behind: then it says nothing. */
async function tryAll(measured: readonly Measured[]): Promise<void> {
  let isFresh = true;
  for (const { id } of mutants) {
    const reaching = measured.filter((test) => test.reached.has(id));
    if (reaching.length === 0) continue;
    say({ begun: id });
    isOn = id;
    const failed = await firstToFail(reaching);
    isOn = undefined;
    const isSpoilt = failed !== undefined && !(await passes(failed, patienceFor(failed)));
    if (isSpoilt && !isFresh) return void say({ id, verdict: 'again' });
    say({ id, verdict: failed === undefined ? 'survived' : 'killed' });
    if (isSpoilt) return;
    isFresh = false;
  }
}

async function firstToFail(measured: readonly Measured[]): Promise<Measured | undefined> {
  for (const test of measured) if (!(await passes(test, patienceFor(test)))) return test;
  return undefined;
}

function patienceFor({ milliseconds }: Measured): number {
  return LEAST_PATIENCE + 10 * milliseconds;
}

function passes(test: Test, patience: number): Promise<boolean> {
  say({ patience });
  return test.run().then(
    () => true,
    () => false,
  );
}
