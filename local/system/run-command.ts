import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorCode } from './failure.ts';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Gets each line of both streams at once. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface FinishedCommand {
  /** Null if the command could not be started or a signal ended it. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command to its end. Never throws: a command that cannot be started has no exit code. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, onLine, signal }: CommandOptions = {},
): Promise<FinishedCommand> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    // Its own process group, so that everything that the command starts can be ended too.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const abort = () => killGroup(child, 'SIGTERM');
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        onLine?.(line);
      });
    }
    const finish = (code: number | null, more: string[] = []) => {
      signal?.removeEventListener('abort', abort);
      resolve({ code, output: [...lines, ...more].join('\n') });
    };
    child.once('error', (error) => finish(null, [error.message]));
    child.once('close', (code) => finish(code));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

/** Ends a process that leads its own group, and everything that it started. */
export function killGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  signalGroup(leader, signal);
}

export function isGroupAlive(leader: ChildProcess): boolean {
  return signalGroup(leader, 0);
}

/** False if there is no such group. */
function signalGroup(leader: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (leader.pid === undefined) return false;
  try {
    return process.kill(-leader.pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
