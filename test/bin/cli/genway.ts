import { randomBytes } from 'node:crypto';
import type { Cli } from '../../../bin/cli/cli.ts';
import { run } from '../../../bin/cli/run.ts';
import { program, type Stages } from '../../../bin/program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly opened: readonly string[];
}

const unexpected = async () => {
  throw new Error('nothing of a stage was asked for');
};

/** Runs one command in this process. Its output is no terminal. */
export async function genway(
  args: readonly string[],
  cli: Partial<Cli> = {},
  stages: Partial<Stages> = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const opened: string[] = [];
  const given: Cli = {
    environment: {},
    fetch,
    now: () => new Date(0),
    pause: async () => undefined,
    random: randomBytes,
    interrupted: new AbortController().signal,
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    ask: async () => undefined,
    openFile: async (path) => void opened.push(path),
    ...cli,
  };
  const stage: Stages = {
    up: unexpected,
    reset: unexpected,
    dashboard: unexpected,
    retained: unexpected,
    demo: unexpected,
    open: unexpected,
    enter: unexpected,
    play: unexpected,
    changes: unexpected,
    deployer: unexpected,
    examine: unexpected,
    ...stages,
  };
  const code = await run(args, given, program(given, stage));
  return { code, out: out.join(''), err: err.join(''), opened };
}
