import { fork } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { saidSchema, type Task } from './messages.ts';

export interface Findings {
  readonly killed: Set<number>;
  /** Those of the killed whose run did not end, or ended the process. */
  readonly hung: Set<number>;
  readonly survived: Set<number>;
  readonly reached: Set<number>;
  /** The tests that do not pass twice in one process: they count for nothing. */
  readonly leftOut: Set<string>;
}

/** For what comes before the first word of a worker. */
const PATIENCE = 240_000;

export const newFindings = (): Findings => ({
  killed: new Set(),
  hung: new Set(),
  survived: new Set(),
  reached: new Set(),
  leftOut: new Set(),
});

/** If a mutant hangs, its process is killed, and a new process tries the others. */
export async function tryMutants({ testFile, mutants }: Task, findings: Findings): Promise<void> {
  for (;;) {
    const left = mutants.filter(({ id }) => !findings.killed.has(id) && !findings.survived.has(id));
    if (left.length === 0 || (await tryInOne({ testFile, mutants: left }, findings))) return;
  }
}

/** @returns whether it came to the end of the mutants that are reached */
async function tryInOne(task: Task, findings: Findings): Promise<boolean> {
  const { killed, hung, survived, reached, leftOut } = findings;
  const child = fork(join(import.meta.dirname, 'worker.ts'), { stdio: 'ignore' });
  const end = () => child.kill('SIGKILL');
  let alarm = setTimeout(end, PATIENCE);
  let toTry: Set<number> | undefined;
  let current: number | undefined;
  child.on('message', (message) => {
    const said = v.parse(saidSchema, message);
    if ('patience' in said) {
      clearTimeout(alarm);
      alarm = setTimeout(end, said.patience);
    } else if ('reached' in said) {
      toTry = new Set(said.reached);
      for (const id of said.reached) reached.add(id);
      for (const name of said.leftOut) leftOut.add(name);
    } else if ('begun' in said) current = said.begun;
    else {
      current = undefined;
      if (said.verdict !== 'again') (said.verdict === 'killed' ? killed : survived).add(said.id);
    }
  });
  child.send(task);
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(alarm);
  if (current !== undefined) for (const ids of [killed, hung]) ids.add(current);
  if (toTry === undefined) leftOut.add('all');
  return [...(toTry ?? [])].every((id) => killed.has(id) || survived.has(id));
}
