// Plants known bugs, one at a time, and checks that each is found, by the fast tests that it names or else by the
// simulator: `npm run test:planted`, or some of them: `npm run test:planted -- --only lease`.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { wholeNumber } from '../../bin/cli/whole-number.ts';
import { bundleFunctions } from '../simulation/bundle.ts';
import { drawHistory } from '../simulation/history.ts';
import { live } from '../simulation/shrink.ts';
import { BUGS_FOR_TESTS } from './bugs-for-tests.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const { only, by, from, seeds } = new Command('npm run test:planted --')
  .description('Plants one known bug at a time, and checks that the simulator or its tests find it.')
  .option('--only <text>', 'only bugs whose names contain this', '')
  .addOption(
    new Option('--by <finder>', 'only bugs that this must find').choices(['tests', 'simulator'] as const),
  )
  .option('--from <number>', 'the first seed', wholeNumber, 1)
  .option('--seeds <number>', 'the number of histories that the simulator tries', wholeNumber, 1000)
  .parse()
  .opts();

const resultsSchema = v.object({
  testResults: v.array(
    v.object({ assertionResults: v.array(v.object({ status: v.string(), fullName: v.string() })) }),
  ),
});

const lists = { tests: BUGS_FOR_TESTS, simulator: PLANTED_BUGS };
const listed = by === undefined ? Object.values(lists).flat() : lists[by];
const wanted = listed.filter(({ name }) => name.includes(only));
let found = 0;
for (const bug of wanted) {
  const finding = bug.tests === undefined ? await simulate(bug) : await test(bug, bug.tests);
  console.log(finding === undefined ? `MISSED: ${bug.name}` : `${bug.name}: ${finding}`);
  if (finding !== undefined) found++;
}
console.log(`${found} of ${wanted.length} found`);
if (found < wanted.length) process.exitCode = 1;

/** @returns the first broken promise */
async function simulate(bug: PlantedBug): Promise<string | undefined> {
  const script = await bundleFunctions((source) => source.replace(bug.from, () => bug.to));
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations } = await live(script, drawHistory(seed));
    if (violations[0] !== undefined) return `seed ${seed}, ${violations[0]}`;
  }
  return undefined;
}

/** @returns the first test that fails. One that cannot even be loaded finds nothing. */
async function test({ from, to }: PlantedBug, tests: string): Promise<string | undefined> {
  const jest = spawn(
    process.execPath,
    [
      ...[
        '--no-warnings',
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--json',
        '--silent',
      ],
      ...[
        '--runInBand',
        '--testTimeout=60000',
        '--selectProjects',
        'unit',
        'thorough',
        '--runTestsByPath',
        tests,
      ],
    ],
    {
      env: { ...process.env, GENWAY_PLANTED: JSON.stringify({ from, to }) },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const { testResults } = v.parse(resultsSchema, JSON.parse(await text(jest.stdout)));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  return failed && `${tests}, ${failed.fullName}`;
}
