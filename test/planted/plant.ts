// Plants known bugs, one at a time, and checks that the simulator finds each: `npm run test:planted`, or some of them:
// `npm run test:planted -- --only lease`.
import { Command } from '@commander-js/extra-typings';
import { wholeNumber } from '../../bin/cli/whole-number.ts';
import { bundleFunctions } from '../simulation/bundle.ts';
import { drawHistory } from '../simulation/history.ts';
import { live } from '../simulation/shrink.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const { only, from, seeds } = new Command('npm run test:planted --')
  .description('Plants one known bug at a time, and checks that the simulator finds it.')
  .option('--only <text>', 'only bugs whose names contain this', '')
  .option('--from <number>', 'the first seed', wholeNumber, 1)
  .option('--seeds <number>', 'the number of histories that the simulator tries', wholeNumber, 1000)
  .parse()
  .opts();

const wanted = PLANTED_BUGS.filter(({ name }) => name.includes(only));
let found = 0;
for (const bug of wanted) {
  const violation = await simulate(bug);
  console.log(violation === undefined ? `MISSED: ${bug.name}` : `${bug.name}: ${violation}`);
  if (violation !== undefined) found++;
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
