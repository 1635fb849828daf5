// Simulates histories of Genway: `npm run simulate -- --seeds 10000`, or one of them: `npm run simulate -- --seed 7`.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { wholeNumber } from '../../bin/cli/api-command.ts';
import { bundleVersion } from './beside.ts';
import { bundleFunctions } from './bundle.ts';
import { drawHistory } from './history.ts';
import { live, shrink } from './shrink.ts';

const { from, seeds, seed, beside, asked } = new Command('npm run simulate --')
  .description('Simulates histories of all of Genway with faults, and checks its promises after each step.')
  .option('--seeds <number>', 'the number of histories', wholeNumber, 10_000)
  .option('--from <number>', 'the first seed', wholeNumber, 1)
  .option('--seed <number>', 'simulates this seed alone, and shortens its history if it fails', wholeNumber)
  .option('--beside <commit>', 'half of the machines run this other version, as during an upgrade')
  .option('--asked', 'simulates the seeds that its parent process sends')
  .parse()
  .opts();

/**
 * Options of V8 for many short lives: every cold start makes new functions, which are compiled at once instead of being
 * interpreted first. Each process has a core for itself, so it collects its garbage alone, and seldom. Most errors are
 * refusals that the functions expect, and nobody reads their stacks; `--seed` repeats a history with all stacks.
 */
const FOR_SPEED = [
  ...['--always-sparkplug', '--single-threaded-gc', '--min-semi-space-size=64'],
  '--stack-trace-limit=0',
];

const livedSchema = v.object({
  seed: v.number(),
  violations: v.array(v.string()),
  counts: v.record(v.string(), v.number()),
});

if (seed !== undefined) await again(seed);
else if (asked) await each();
else await all();

async function versions() {
  const old = beside === undefined ? undefined : await bundleVersion(beside);
  return { script: await bundleFunctions(), old };
}

/** Repeats one seed. If it fails, prints a shorter history that fails too. */
async function again(seed: number): Promise<void> {
  const { script, old } = await versions();
  const history = drawHistory(seed);
  const { violations, counts } = await live(script, history, old);
  console.log({ commands: history.commands.length, counts, violations });
  if (violations.length === 0) return;
  process.exitCode = 1;
  const commands = await shrink(script, history, old);
  console.log(
    `Seed ${seed} fails with these commands:`,
    ...commands.map((command) => `\n  ${JSON.stringify(command)}`),
  );
  console.log((await live(script, { ...history, commands }, old)).violations);
}

/** Simulates the seeds that the parent sends, one after the other, and reports each. */
async function each(): Promise<void> {
  const { script, old } = await versions();
  process.on('message', async (message) => {
    const seed = v.parse(v.number(), message);
    process.send?.({ seed, ...(await live(script, drawHistory(seed), old)) });
  });
}

async function all(): Promise<void> {
  const processes = availableParallelism();
  const version = beside === undefined ? [] : ['--beside', beside];
  const begun = Date.now();
  const failed: number[] = [];
  const sums: Record<string, number> = {};
  let done = 0;
  let next = from;
  const ends = Array.from({ length: processes }, () => {
    const child = fork(import.meta.filename, ['--asked', ...version], {
      execArgv: [...process.execArgv, ...FOR_SPEED],
    });
    const ask = () => {
      if (next < from + seeds) child.send(next++);
      else child.disconnect();
    };
    ask();
    child.on('message', (message) => {
      const { seed, violations, counts } = v.parse(livedSchema, message);
      ask();
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
  if (failed.length > 0) console.log(`Repeat one with: npm run simulate -- --seed ${Math.min(...failed)}`);
  if (failed.length > 0 || done < seeds || codes.some((code) => code !== 0)) process.exitCode = 1;
}
