import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { variables } from '../../functions/environment-names.ts';
import { EMULATOR_PATIENCE } from '../../lib/constructs/function-defaults.ts';
import { NODE_FLAGS, SERVER_PROGRAM } from '../../lib/upload-server/image-context.ts';
import { type AwsAccess, awsEnvironment } from '../emulator/aws-access.ts';
import type { FunctionLogLine } from '../logs/log-lines.ts';
import { LocalRunError } from '../system/failure.ts';
import { findFreePort, ownHosts } from '../system/ports.ts';

const NAME = 'upload-server';
const START_DEADLINE_MS = 10_000;
const STOP_DEADLINE_MS = 1_000;
const HEALTH_INTERVAL_MS = 25;

export interface LocalUploadServer {
  /** Such as `http://127.0.0.1:20123`. */
  readonly url: string;
  /** Stops it and starts the current build. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs the container's program as a process beside the emulator.
 *
 * @param settings the environment that the deployment has for a server of its files
 * @throws LocalRunError with its output, if it does not answer
 */
export async function startUploadServer(
  access: AwsAccess,
  settings: Readonly<Record<string, string>>,
  log: (line: FunctionLogLine) => void,
): Promise<LocalUploadServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...awsEnvironment(access),
    ...settings,
    POWERTOOLS_SERVICE_NAME: NAME,
    [variables.metricsNamespace]: 'Genway/local',
    HOST: '127.0.0.1',
    HOSTS: ownHosts(port).join(','),
    PORT: String(port),
    ...EMULATOR_PATIENCE,
  };
  let child = await startProcess(url, env, log);
  return {
    url,
    restart: async () => {
      await stopProcess(child);
      child = await startProcess(url, env, log);
    },
    stop: () => stopProcess(child),
  };
}

async function startProcess(
  url: string,
  env: NodeJS.ProcessEnv,
  log: (line: FunctionLogLine) => void,
): Promise<ChildProcess> {
  const child = fork(SERVER_PROGRAM, {
    env,
    execArgv: [...NODE_FLAGS, '--import', join(import.meta.dirname, 'end-with-parent.ts')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its own process group, so that Ctrl-C only reaches the run, which stops its parts in order.
    detached: true,
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (text) => {
      lines.push(text);
      log({ logGroup: NAME, time: Date.now(), text });
    });
  }
  if (await isHealthy(url, child)) return child;
  await stopProcess(child);
  throw new LocalRunError('The upload server did not start.', { output: lines.join('\n') });
}

async function isHealthy(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(HEALTH_INTERVAL_MS);
  }
  return false;
}

/** Does not wait for running uploads: the edge is closed already, and somebody waits at a prompt. */
async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await ended;
  clearTimeout(patience);
}
