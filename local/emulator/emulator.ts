import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { emulatorLines, type ReadLogs } from '../logs/log-lines.ts';
import { LocalRunError } from '../system/failure.ts';
import { findFreePort, isFree } from '../system/ports.ts';
import { isGroupAlive, killGroup } from '../system/run-command.ts';
import type { StateFolder } from '../system/state-folder.ts';
import { type AwsAccess, newRootAccess } from './aws-access.ts';
import type { EmulatorProgram } from './install.ts';
import { serverCommand } from './server-command.ts';

const START_DEADLINE_MS = 30_000;
/** The emulator waits two seconds for calls in flight, and then saves its state. */
const STOP_DEADLINE_MS = 15_000;
const HEALTH_INTERVAL_MS = 50;
const GROUP_INTERVAL_MS = 20;
/** How long a killed run's emulator may still hold its port. */
const PORT_DEADLINE_MS = 5_000;
/** With this exit code serve.py says that another run uses the state. */
const STATE_IN_USE = 75;

export interface Emulator {
  readonly access: AwsAccess;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  readonly readLogs: ReadLogs;
  stop(): Promise<void>;
}

export async function startEmulator(
  program: EmulatorProgram,
  state: StateFolder,
  signal?: AbortSignal,
): Promise<Emulator> {
  // Check the port first: once it is free, no earlier run uses the folders any more.
  const access = newRootAccess(await emulatorPort(state));
  await prepareFolders(state);
  const { command, args, env } = serverCommand(program, state.emulator.root, access);
  const log = await open(state.emulator.logFile, 'w');
  // Its own process group, so that Ctrl-C does not reach it: it must stop last, when its stdin closes.
  const child = spawn(command, args, { env, detached: true, stdio: ['pipe', 'pipe', log.fd] });
  const readLogs = emulatorLines(child.stdout);
  const ended = once(child, 'close').catch(() => undefined);
  await log.close();
  const stop = () => stopProcess(child, ended);
  try {
    await untilHealthy(access.endpoint, child, state, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { access, ended, readLogs, stop };
}

async function prepareFolders({ emulator }: StateFolder): Promise<void> {
  await rm(emulator.scratch, { recursive: true, force: true });
  if (!(await holdsStacks(emulator.services))) await rm(emulator.objects, { recursive: true, force: true });
  for (const folder of [emulator.services, emulator.objects, emulator.scratch]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  // The emulator writes CommonJS programs there. Without this, the package.json of this checkout would make them ES modules.
  await writeFile(join(emulator.scratch, 'package.json'), '{"type":"commonjs"}\n');
}

/**
 * The emulator writes objects to disk at once, and everything else only at a clean stop. If no stack was ever saved, the
 * objects come from a killed first run. They must go, because their buckets would conflict with new buckets.
 */
async function holdsStacks(services: string): Promise<boolean> {
  const stacks = await readFile(join(services, 'cloudformation.json'), 'utf8').catch(() => '');
  return stacks.includes('"CDKToolkit"');
}

/** Queue URLs contain the port, in the emulator's state and in the functions' environment. So the port must not change. */
async function emulatorPort(state: StateFolder): Promise<number> {
  const { root, emulator } = state;
  const saved = await savedPort(state);
  if (saved === undefined) {
    const port = await findFreePort();
    await mkdir(emulator.root, { recursive: true, mode: 0o700 });
    await writeFile(emulator.portFile, String(port));
    return port;
  }
  const deadline = Date.now() + PORT_DEADLINE_MS;
  do {
    if (await isFree(saved)) return saved;
    await sleep(HEALTH_INTERVAL_MS);
  } while (Date.now() < deadline);
  throw new LocalRunError(
    `Port ${saved} is in use, and the stage in ${root} works only on this port. Stop what uses it, or choose another folder with --state.`,
  );
}

async function savedPort({ emulator }: StateFolder): Promise<number | undefined> {
  const text = await readFile(emulator.portFile, 'utf8').catch(() => '');
  return text === '' ? undefined : Number(text);
}

/** Whether something listens on the port of this folder's emulator. */
export async function isEmulatorRunning(state: StateFolder): Promise<boolean> {
  const port = await savedPort(state);
  return port !== undefined && !(await isFree(port));
}

async function untilHealthy(
  endpoint: string,
  child: ChildProcess,
  { root, emulator }: StateFolder,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (child.exitCode === STATE_IN_USE) {
      throw new LocalRunError(`Another stage uses ${root}. Stop it, or choose another folder with --state.`);
    }
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) break;
    if (await answers(`${endpoint}/_ministack/health`)) return;
    await sleep(HEALTH_INTERVAL_MS);
  }
  const output = (await readFile(emulator.logFile, 'utf8')).split('\n').slice(-20).join('\n');
  throw new LocalRunError(`The AWS emulator did not start. See its log: ${emulator.logFile}`, { output });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Only a clean stop saves the state, so the group is killed only after the deadline. */
async function stopProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.stdin?.end();
  const deadline = new AbortController();
  const patience = sleep(STOP_DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => undefined);
  await Promise.race([ended, patience]);
  deadline.abort();
  killGroup(child, 'SIGKILL');
  await ended;
  // We are not the parent of the functions' processes and cannot wait for them, so poll until the group is empty.
  while (isGroupAlive(child)) await sleep(GROUP_INTERVAL_MS);
}
