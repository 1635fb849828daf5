// Plants known bugs, one at a time, and checks that each is found: by the fast tests that it names, or otherwise by the
// simulator. `npm run test:planted`, or a part of them: `-- --only lease`, `-- --by tests`, `-- --by simulator`.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { bundleFunctions } from '../simulation/bundle.ts';
import { drawHistory } from '../simulation/history.ts';
import { live } from '../simulation/shrink.ts';
import type { PlantedBug } from './planted-bug.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { runTests } from './run-tests.ts';

const { only, by, seeds, processes, one } = new Command('npm run test:planted --')
  .description('Plants one known bug at a time, and checks that the simulator or the fast tests find it.')
  .option('--only <text>', 'only bugs whose names contain this', '')
  .addOption(new Option('--by <finder>', 'only bugs that this must find').choices(['simulator', 'tests']))
  .option('--seeds <number>', 'the number of histories that the simulator tries', wholeNumber, 200)
  .option('--processes <number>', 'the number of bugs tried at once', wholeNumber, availableParallelism())
  .option('--one <name>', 'tries this bug in this process, for the parent process')
  .parse()
  .opts();
const answerSchema = v.object({ found: v.optional(v.string()) });
const wanted = PLANTED_BUGS.filter(
  ({ name, tests }) =>
    name.includes(only) && (by === undefined || by === (tests === undefined ? 'simulator' : 'tests')),
);

if (one === undefined) await all();
else process.send?.({ found: await find(PLANTED_BUGS.find(({ name }) => name === one)) });

/** Tries each bug in its own process, so that it cannot affect the next one. */
async function all(): Promise<void> {
  const missed: string[] = [];
  const waiting = wanted.values();
  const worker = async () => {
    for (const { name } of waiting) {
      const found = await findApart(name);
      console.log(found === undefined ? `MISSED: ${name}` : `${name}: ${found}`);
      if (found === undefined) missed.push(name);
    }
  };
  await Promise.all(Array.from({ length: processes }, worker));
  console.log(`${wanted.length - missed.length} of ${wanted.length} found`);
  if (missed.length > 0) process.exitCode = 1;
}

function findApart(name: string): Promise<string | undefined> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--one', name]);
  return new Promise((resolve, reject) => {
    child.on('message', (message) => resolve(v.parse(answerSchema, message).found));
    child.on('exit', () => reject(new Error(`${name}: its process ended without a result`)));
  });
}

/** @returns what found the bug */
async function find(bug: PlantedBug | undefined): Promise<string | undefined> {
  if (bug === undefined) throw new Error('No bug has this name');
  return bug.tests === undefined ? simulate(bug) : runTests(bug, bug.tests);
}

async function simulate(bug: PlantedBug): Promise<string | undefined> {
  const script = await bundleFunctions((path, source) =>
    path === bug.file ? source.replace(bug.from, () => bug.to) : source,
  );
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations } = await live(script, drawHistory(seed));
    if (violations[0] !== undefined) return `seed ${seed}, ${violations[0]}`;
  }
  return undefined;
}
