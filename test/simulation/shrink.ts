import type { InstanceScript } from './bundle.ts';
import type { History, TimedCommand } from './history.ts';
import { type Outcome, Simulation } from './simulation.ts';

export async function live(script: InstanceScript, history: History, old?: InstanceScript): Promise<Outcome> {
  try {
    return await new Simulation(script, history.seed, old).run(history);
  } catch (error) {
    // An error of the simulation itself is a failure too.
    return { violations: [`thrown: ${error instanceof Error ? error.stack : error}`], counts: {} };
  }
}

const MOST_RUNS = 120;

/** A shorter history that still fails. The search for it is limited. */
export async function shrink(
  script: InstanceScript,
  history: History,
  old?: InstanceScript,
): Promise<readonly TimedCommand[]> {
  let kept = history.commands;
  let runs = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && runs < MOST_RUNS; runs++) {
      const fewer = kept.toSpliced(at, size);
      const { violations } = await live(script, { ...history, commands: fewer }, old);
      if (violations.length > 0) kept = fewer;
      else at += size;
    }
  }
  return kept;
}
