import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../functions/clock.ts';
import { stopWithoutReader } from '../local/terminal/reader-gone.ts';
import { Interrupted } from './cli/cli.ts';
import type { Stages } from './cli/program.ts';
import { run } from './cli/run.ts';

/** Repeats are ignored: npm passes on the Ctrl-C that the terminal has already sent, and stopping has a deadline. */
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

const interrupted = onInterrupt();
const stages: Stages = {
  async up(options) {
    const { up } = await import('../local/start.ts');
    if ((await up(options, interrupted)) === 'interrupted')
      throw new Interrupted('Stopped before it was ready');
  },
  reset: async (stateDir) => (await import('../local/reset.ts')).reset(stateDir),
  async dashboard({ stateDir, ...options }) {
    const [{ dashboard }, { stateFolder }] = await Promise.all([
      import('../local/dashboard/dashboard.ts'),
      import('../local/state-folder.ts'),
    ]);
    await dashboard({ ...options, state: stateFolder(stateDir), now: Date.now }, interrupted);
  },
  demo: async (target, folder) => (await import('../local/demo/demo.ts')).demo(target, folder),
  changes: async (...asked) => (await import('./changes/read-changes.ts')).readChanges(...asked),
  retained: async (stack) => (await import('./adopt/read-retained.ts')).readRetained(stack),
  play: async (target) => (await import('../local/demo/demo.ts')).playQuietly(target),
  examine: async (...asked) => (await import('./doctor/examine.ts')).examine(...asked),
  open: async (stage) => (await import('./admin/deployment.ts')).openDeployment(stage),
};

process.exitCode = await run(
  process.argv.slice(2),
  {
    environment: process.env,
    fetch,
    now: systemClock,
    pause: (milliseconds) => wait(milliseconds, undefined, { signal: interrupted }),
    random: randomBytes,
    interrupted,
    stdout: process.stdout,
    stderr: process.stderr,
    openFile,
  },
  stages,
);
