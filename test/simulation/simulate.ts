// Lives through histories of Genway: `npm run simulate -- --seeds 10000`, or one again: `npm run simulate -- --seed 7`.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { bundleFunctions } from './bundle.ts';
import { drawHistory } from './history.ts';
import { live, shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    step: { type: 'string' },
  },
});
const [from, seeds] = [Number(values.from), Number(values.seeds)];
const livedSchema = v.object({
  seed: v.number(),
  violations: v.array(v.string()),
  counts: v.record(v.string(), v.number()),
});

if (values.seed !== undefined) await again(Number(values.seed));
else if (values.step !== undefined) await each(Number(values.step));
else await all();

/** One seed, with what it comes down to. */
async function again(seed: number): Promise<void> {
  const script = await bundleFunctions();
  const history = drawHistory(seed);
  const { violations, counts } = await live(script, history);
  console.log({ commands: history.commands.length, counts, violations });
  if (violations.length === 0) return;
  process.exitCode = 1;
  const commands = await shrink(script, history);
  console.log(
    `Seed ${seed} fails with these commands:`,
    ...commands.map((command) => `\n  ${JSON.stringify(command)}`),
  );
  console.log((await live(script, { seed, commands })).violations);
}

/** In a process of its own: every so many seeds, telling of each. */
async function each(step: number): Promise<void> {
  const script = await bundleFunctions();
  for (let seed = from; seed < from + seeds; seed += step) {
    process.send?.({ seed, ...(await live(script, drawHistory(seed))) });
  }
  process.disconnect?.();
}

async function all(): Promise<void> {
  const processes = availableParallelism();
  const begun = Date.now();
  const failed: number[] = [];
  const sums: Record<string, number> = {};
  let done = 0;
  const ends = Array.from({ length: processes }, (_, index) => {
    const own = [
      '--from',
      String(from + index),
      '--seeds',
      String(seeds - index),
      '--step',
      String(processes),
    ];
    const child = fork(import.meta.filename, own);
    child.on('message', (message) => {
      const { seed, violations, counts } = v.parse(livedSchema, message);
      done++;
      for (const [what, count] of Object.entries(counts)) sums[what] = (sums[what] ?? 0) + count;
      if (violations.length > 0) failed.push(seed);
      for (const violation of violations) console.error(`seed ${seed}: ${violation}`);
      if (done % 10 === 0)
        console.log(`${done} of ${seeds} seeds, ${Math.round((Date.now() - begun) / 1000)} s`);
    });
    return new Promise<number | null>((resolve) => child.on('exit', resolve));
  });
  const codes = await Promise.all(ends);
  console.log(JSON.stringify(sums, undefined, 2));
  console.log(`${done} seeds, ${failed.length} with violations`);
  if (failed.length > 0) console.log(`Look at one: npm run simulate -- --seed ${Math.min(...failed)}`);
  if (failed.length > 0 || done < seeds || codes.some((code) => code !== 0)) process.exitCode = 1;
}
