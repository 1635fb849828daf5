// Builds known faults in, one after the other, and looks whether the simulation finds them: `npm run test:planted`.
import { parseArgs } from 'node:util';
import { bundleFunctions } from './bundle.ts';
import { drawHistory } from './history.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';
import { live } from './shrink.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, seeds: { type: 'string', default: '200' } },
});

const missed: string[] = [];
for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(values.only))) {
  const found = await find(bug, Number(values.seeds));
  console.log(
    found === undefined ? `MISSED: ${bug.name}` : `${bug.name}: seed ${found.seed}, ${found.violation}`,
  );
  if (found === undefined) missed.push(bug.name);
}
console.log(`${missed.length} missed`);
if (missed.length > 0) process.exitCode = 1;

async function find(bug: PlantedBug, seeds: number) {
  let isPlanted = false;
  const script = await bundleFunctions((path, source) => {
    if (path !== bug.file || !source.includes(bug.from)) return source;
    isPlanted = true;
    return source.replace(bug.from, () => bug.to);
  });
  if (!isPlanted) throw new Error(`${bug.file} has no more of what "${bug.name}" replaces`);
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations } = await live(script, drawHistory(seed));
    if (violations[0] !== undefined) return { seed, violation: violations[0] };
  }
  return undefined;
}
