// Builds small faults into the rules and stores of an area, one at a time, and runs the fast tests on each:
// `npm run mutate -- money`. What survives is listed: a test is missing there, or the fault makes no difference.
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Argument, Command } from '@commander-js/extra-typings';
import { wholeNumber } from '../../bin/cli/whole-number.ts';
import { AREAS } from './areas.ts';
import { EQUIVALENT_FAULTS } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { type Findings, newFindings, tryMutants } from './try-mutants.ts';

type Numbered = Mutant & { readonly id: number };

const ROOT = join(import.meta.dirname, '../..');
/** The percentage of mutants that must be found. */
const LEAST_KILLED = 90;

const command = new Command('npm run mutate --')
  .description('Builds small faults into an area, one at a time, and lists those that no fast test finds.')
  .addArgument(new Argument('<areas...>', 'where').choices(Object.keys(AREAS)))
  .option('--processes <number>', 'how many at once', wholeNumber, availableParallelism())
  .option('--quick', 'without the thorough tests', false)
  .addHelpText('after', `\nExits with 1 where less than ${LEAST_KILLED} % are found.`)
  .parse();
const { processes, quick } = command.opts();

for (const name of command.args.flat()) {
  if (await mutate(name, AREAS[name] ?? { sources: '', tests: [] })) continue;
  process.exitCode = 1;
}

/** @returns whether enough are found */
async function mutate(name: string, { sources, tests }: (typeof AREAS)[string]): Promise<boolean> {
  const begun = performance.now();
  const all = globSync(sources, { cwd: ROOT })
    .toSorted()
    .flatMap((file) => worthTrying(file, readFileSync(join(ROOT, file), 'utf8')))
    .map((mutant, id): Numbered => ({ ...mutant, id }));
  const findings = newFindings();
  let alive: readonly Numbered[] = all;
  const testFiles = new Set(tests.flatMap((each) => globSync(each, { cwd: ROOT }).toSorted()));
  for (const testFile of inOrder([...testFiles])) {
    const { killed, leftOut } = await tryApart(testFile, alive, findings);
    alive = alive.filter(({ id }) => !killed.has(id));
    for (const test of leftOut) console.log(`${testFile}: does not pass twice here, left out: ${test}`);
    console.log(`${testFile}: ${killed.size} killed, ${alive.length} of ${all.length} alive`);
  }
  for (const { id, file, line, from, to } of alive) {
    const shown = [from, to].map((text) => text.replace(/\s+/g, ' ').slice(0, 80));
    console.log(
      `${findings.reached.has(id) ? 'survives' : 'not run '} ${file}:${line}  ${shown.join('  ->  ')}`,
    );
  }
  const killed = all.length - alive.length;
  const share = (100 * killed) / all.length;
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(
    `${name}: ${killed} of ${all.length} killed, ${share.toFixed(1)} %; ${findings.hung.size} of them hang. ${seconds} s`,
  );
  return share >= LEAST_KILLED;
}

/** @returns what this file finds, and adds it to what all have found */
async function tryApart(testFile: string, alive: readonly Numbered[], all: Findings): Promise<Findings> {
  const found = newFindings();
  await Promise.all(
    Array.from({ length: processes }, (_, worker) =>
      tryMutants({ testFile, mutants: alive.filter((_, at) => at % processes === worker) }, found),
    ),
  );
  for (const id of found.reached) all.reached.add(id);
  for (const id of found.hung) all.hung.add(id);
  return found;
}

/** Quick tests run first, so that thorough ones only try the mutants that are left. */
function inOrder(tests: readonly string[]): readonly string[] {
  const [fast = [], thorough = []] = [false, true].map((isThorough) =>
    tests.filter((test) => test.includes('.thorough.') === isThorough),
  );
  return quick ? fast : [...fast, ...thorough];
}

/** All but those that are known to make no difference. */
function worthTrying(file: string, source: string): Mutant[] {
  const lines = source.split('\n').map((line) => line.trim());
  return mutantsOf(file, source).filter(
    ({ line, from, to }) =>
      !EQUIVALENT_FAULTS.some(
        (each) =>
          each.file === file &&
          each.line === lines[line - 1] &&
          (each.next === undefined || each.next === lines[line]) &&
          each.from === from &&
          each.to === to,
      ),
  );
}
