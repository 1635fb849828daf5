import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { findFreePort } from '../../local/system/ports.ts';

const ROOT = join(import.meta.dirname, '../..');
const STARTS = 10;
const START_MILLISECONDS = 240_000;

const runSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ base_url: v.string(), management_key: v.string(), pid: v.number() }),
);
export type RunInfo = v.InferOutput<typeof runSchema>;

type Listed = Awaited<ReturnType<typeof listProcesses>>[number];

/** `npm start` in its own process, with all its children, so that any of them can be killed. */
export class LocalRun {
  readonly #stateDir: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  static async start(stateDir: string): Promise<{ run: LocalRun; info: RunInfo }> {
    const run = new LocalRun(stateDir, await findFreePort());
    return { run, info: await run.#start() };
  }

  private constructor(stateDir: string, port: number) {
    this.#stateDir = stateDir;
    this.#port = port;
  }

  /** The processes of all functions that are running or idle. */
  async functions(): Promise<number[]> {
    const all = await listProcesses();
    const emulator = descendants(all, this.#child?.pid).find(({ program }) => program.includes('serve.py'));
    const ofEmulator = emulator === undefined ? [] : descendants(all, emulator.pid);
    return ofEmulator.filter(({ program }) => program.includes('node')).map(({ pid }) => pid);
  }

  /** Kills the edge, the upload server and the log reader. The emulator notices that, saves its state and ends. */
  async killAndRestart(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#start();
  }

  stop = (): Promise<void> => this.#end('SIGTERM');

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Starts the run, and tries again while the previous emulator still uses the state. */
  async #start(): Promise<RunInfo> {
    for (let attempt = 1; ; attempt++) {
      const args = ['bin/genway.ts', 'up', '--port', String(this.#port), '--state', this.#stateDir];
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
      const said: string[] = [];
      child.stderr.on('data', (text) => said.push(String(text)));
      this.#child = child;
      const info = await this.#untilRunning(child);
      if (info !== undefined) return info;
      if (attempt === STARTS) throw new Error(`the local run does not start: ${said.join('').slice(-2_000)}`);
      await sleep(1_000);
    }
  }

  async #untilRunning(child: ChildProcess): Promise<RunInfo | undefined> {
    const end = Date.now() + START_MILLISECONDS;
    while (Date.now() < end && child.exitCode === null) {
      const text = await readFile(join(this.#stateDir, 'run.json'), 'utf8').catch(() => '');
      const info = v.safeParse(runSchema, text);
      if (info.success && info.output.pid === child.pid) return info.output;
      await sleep(100);
    }
    child.kill('SIGKILL');
    return undefined;
  }
}

async function listProcesses() {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='], {
    maxBuffer: 16 * 1024 ** 2,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, program] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return program === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), program }];
  });
}

function descendants(all: readonly Listed[], of: number | undefined): Listed[] {
  const children = all.filter(({ parent }) => parent === of);
  return children.flatMap((child) => [child, ...descendants(all, child.pid)]);
}
