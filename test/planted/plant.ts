// Plants known bugs, one at a time, and checks that each is found, by the fast tests that it names or else by the
// simulator: `npm run test:planted`, or some of them: `npm run test:planted -- --only lease`.
import { spawnSync } from 'node:child_process';
import { Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { wholeNumber } from '../../bin/cli/api-command.ts';
import { bundleFunctions } from '../simulation/bundle.ts';
import { drawHistory } from '../simulation/history.ts';
import { live } from '../simulation/shrink.ts';
import { ALSO_FOR_SIMULATOR, BUGS_FOR_TESTS } from './bugs-for-tests.ts';
import { BUGS_FOR_SIMULATOR, type PlantedBug } from './planted-bugs.ts';

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

const NO_TESTS = 'the simulator';
const both = Object.fromEntries(
  ALSO_FOR_SIMULATOR.flatMap((tests) => Object.entries(BUGS_FOR_TESTS[tests] ?? {})),
);
const wanted = Object.entries({ ...BUGS_FOR_TESTS, [NO_TESTS]: { ...BUGS_FOR_SIMULATOR, ...both } })
  .filter(([tests]) => by === undefined || (by === 'simulator') === (tests === NO_TESTS))
  .flatMap(([tests, bugs]) => Object.entries(bugs).map(([name, bug]) => ({ name, bug, tests })))
  .filter(({ name }) => name.includes(only));
let found = 0;
for (const { name, bug, tests } of wanted) {
  const finding = tests === NO_TESTS ? await simulate(bug) : test(bug, tests);
  console.log(finding === undefined ? `MISSED: ${name}` : `${name}: ${finding}`);
  if (finding !== undefined) found++;
}
console.log(`${found} of ${wanted.length} found`);
if (found < wanted.length) process.exitCode = 1;

/** @returns the first broken promise */
async function simulate([text, other]: PlantedBug): Promise<string | undefined> {
  const script = await bundleFunctions((source) => source.replace(text, () => other));
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations } = await live(script, drawHistory(seed));
    if (violations[0] !== undefined) return `seed ${seed}, ${violations[0]}`;
  }
  return undefined;
}

/** @returns the first test that fails. One that cannot even be loaded finds nothing. */
function test([from, to]: PlantedBug, tests: string): string | undefined {
  const projects = ['--selectProjects', 'unit', 'thorough'];
  const args = ['--json', '--silent', '--runInBand', ...projects, '--runTestsByPath', tests];
  const { stdout } = spawnSync('npm', ['--silent', 'test', '--', ...args], {
    env: { ...process.env, GENWAY_PLANTED: JSON.stringify({ from, to }) },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const failed = v
    .parse(resultsSchema, JSON.parse(stdout))
    .testResults.flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  return failed && `${tests}, ${failed.fullName}`;
}
