import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../functions/clock.ts';
import { errorCode } from '../../local/system/failure.ts';
import type { Cli } from './cli.ts';

/** What commands use when they run as a process: its streams, its signals, its environment. */
export function processCli(): Cli {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  stopWithoutReader([process.stdout, process.stderr], interrupt);
  return {
    environment: process.env,
    fetch,
    now: systemClock,
    pause(milliseconds) {
      return wait(milliseconds, undefined, { signal: this.interrupted });
    },
    random: randomBytes,
    /** Only a command that asks for it ends itself. All others end as every process does. */
    get interrupted() {
      takeSignals(interrupt);
      return controller.signal;
    },
    async ask(question) {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
      const terminal = createInterface({ input: process.stdin, output: process.stdout });
      // While a line is read, the terminal hands Ctrl-C over as a character.
      terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        return await terminal.question(question, { signal: this.interrupted });
      } finally {
        terminal.close();
      }
    },
    stdout: process.stdout,
    stderr: process.stderr,
    openFile,
  };
}

/**
 * Calls `stop` when the reader of the output has gone, as `head` does after its last line. What is written afterwards
 * is lost, which does no harm.
 */
export function stopWithoutReader(streams: readonly Writable[], stop: () => void): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
      stop();
    });
  }
}

/** Ignores repeats: npm passes on a Ctrl-C that the terminal has already sent, and stopping has a deadline. */
function takeSignals(interrupt: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (!process.listeners(name).includes(interrupt)) process.on(name, interrupt);
  }
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function openFile(path: string): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, path], { stdio: 'ignore', detached: true });
  await once(opener, 'spawn');
  opener.unref();
}
