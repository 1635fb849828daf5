/**
 * Builds small faults into the rules and stores of an area, one at a time, and runs the fast tests on each:
 * `npm run mutate -- money`. What survives is listed: a test is missing there, or the fault makes no difference.
 */
import { fork } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { AREAS } from './areas.ts';
import { EQUIVALENT_FAULTS } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

type Numbered = Mutant & { readonly id: number };

const ROOT = join(import.meta.dirname, '../..');
/** A mutant that waits for ever is found too. */
const PATIENCE = 60_000;

const saidSchema = v.union([
  v.object({ reached: v.array(v.number()) }),
  v.object({ begun: v.number() }),
  v.object({ id: v.number(), isKilled: v.boolean() }),
]);

const area = AREAS[process.argv[2] ?? ''];
if (area === undefined) throw new Error(`npm run mutate -- <area>, one of ${Object.keys(AREAS).join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'genway-mutants-'));
try {
  await mutate(area);
} finally {
  await rm(folder, { recursive: true });
}

async function mutate({ sources, tests }: (typeof AREAS)[string]): Promise<void> {
  const all = globSync(sources, { cwd: ROOT })
    .toSorted()
    .flatMap((file) => worthTrying(file, readFileSync(join(ROOT, file), 'utf8')))
    .map((mutant, id): Numbered => ({ ...mutant, id }));
  let alive: readonly Numbered[] = all;
  const reached = new Set<number>();
  for (const test of tests.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())) {
    const killed = await killedBy(test, alive, reached);
    alive = alive.filter(({ id }) => !killed.has(id));
    console.log(`${test}: ${killed.size} killed, ${alive.length} of ${all.length} alive`);
  }
  for (const { id, file, line, from, to } of alive) {
    const shown = [from, to].map((text) => text.replace(/\s+/g, ' ').slice(0, 80));
    console.log(`${reached.has(id) ? 'survives' : 'not run '} ${file}:${line}  ${shown.join('  ->  ')}`);
  }
  const share = (100 * (all.length - alive.length)) / all.length;
  console.log(`${all.length - alive.length} of ${all.length} killed, ${share.toFixed(1)} %`);
}

/** All but those that are known to make no difference. */
function worthTrying(file: string, source: string): Mutant[] {
  const lines = source.split('\n');
  return mutantsOf(file, source).filter(
    ({ line, from, to }) =>
      !EQUIVALENT_FAULTS.some(
        (each) =>
          each.file === file && each.line === lines[line - 1]?.trim() && each.from === from && each.to === to,
      ),
  );
}

/** In as many processes as it takes: one that hangs is ended, and the rest goes on in another. */
async function killedBy(
  test: string,
  alive: readonly Numbered[],
  reached: Set<number>,
): Promise<Set<number>> {
  const killed = new Set<number>();
  const done = new Set<number>();
  for (;;) {
    const left = alive.filter(({ id }) => !done.has(id) && !killed.has(id));
    const hung = await runOnce(test, left, { killed, done, reached });
    if (hung === undefined) return killed;
    killed.add(hung);
  }
}

interface Progress {
  readonly killed: Set<number>;
  readonly done: Set<number>;
  readonly reached: Set<number>;
}

/** @returns the mutant that its process did not survive */
async function runOnce(test: string, mutants: readonly Numbered[], progress: Progress) {
  const list = join(folder, 'mutants.json');
  await writeFile(list, JSON.stringify(mutants));
  const child = fork(join(import.meta.dirname, 'worker.ts'), [test, list], { stdio: 'ignore' });
  let current: number | undefined;
  let isBaseline = true;
  let alarm = setTimeout(() => child.kill('SIGKILL'), 4 * PATIENCE);
  child.on('message', (message) => {
    const said = v.parse(saidSchema, message);
    clearTimeout(alarm);
    alarm = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    if ('reached' in said) {
      isBaseline = false;
      for (const id of said.reached) progress.reached.add(id);
    } else if ('begun' in said) current = said.begun;
    else {
      current = undefined;
      (said.isKilled ? progress.killed : progress.done).add(said.id);
    }
  });
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(alarm);
  if (isBaseline) console.log(`${test} does not run here without a mutant: it counts for nothing`);
  return current;
}
