import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../functions/clock.ts';
import { stopWithoutReader } from '../../local/terminal/reader-gone.ts';
import type { Cli } from './cli.ts';

/** What commands use when they run as a process: its streams, its signals, its environment. */
export function processCli(): Cli {
  const interrupted = onInterrupt();
  return {
    environment: process.env,
    fetch,
    now: systemClock,
    pause: (milliseconds) => wait(milliseconds, undefined, { signal: interrupted }),
    random: randomBytes,
    interrupted,
    stdout: process.stdout,
    stderr: process.stderr,
    openFile,
  };
}

/** Ignores repeats: npm passes on a Ctrl-C that the terminal has already sent, and stopping has a deadline. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  stopWithoutReader([process.stdout, process.stderr], () => controller.abort());
  return controller.signal;
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
