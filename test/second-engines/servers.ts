import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalRunError } from '../../local/system/failure.ts';
import { findFreePort } from '../../local/system/ports.ts';
import { killGroup, runCommand } from '../../local/system/run-command.ts';
import { DEFAULT_STATE_FOLDER } from '../../local/system/state-folder.ts';

/** One server and how to get it. Each is a process that holds everything in memory or in the run's own folder. */
interface Program {
  readonly version: string;
  /** Puts the program into the folder, with the usual client of its registry. */
  install(folder: string, signal: AbortSignal): Promise<void>;
  start(place: { readonly folder: string; readonly port: number; readonly data: string }): Promise<Start>;
}

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The root of the S3 server. It listens on this machine only, and ends with the run. */
export const ROOT = { accessKeyId: 'secondengines', secretAccessKey: 'secondengines' };

const dynamodb: Program = {
  version: '2.6.1',
  install: (folder, signal) => copyJars('com.amazonaws:DynamoDBLocal', dynamodb.version, folder, signal),
  start: async ({ folder, port }) => ({
    command: 'java',
    args: [
      '-Xmx1g',
      `-Djava.library.path=${folder}`,
      ...['-cp', `${folder}/*`, 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'],
      ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
  }),
};

const s3: Program = {
  version: '1.8.0',
  install: async (folder, signal) => {
    const module = `github.com/versity/versitygw/cmd/versitygw@v${s3.version}`;
    await run('go', ['install', module], signal, { GOBIN: folder });
  },
  start: async ({ folder, port, data }) => {
    const folders = ['objects', 'versions', 'sidecar', 'users'].map((name) => join(data, name));
    for (const each of folders) await mkdir(each, { recursive: true });
    const [objects = '', versions = '', sidecar = '', users = ''] = folders;
    return {
      command: join(folder, 'versitygw'),
      args: [
        ...['--port', `127.0.0.1:${port}`, '--quiet', '--iam-dir', users],
        // Not every file system has the extended attributes in which it would otherwise keep what is said of an object.
        ...['posix', '--versioning-dir', versions, '--sidecar', sidecar, objects],
      ],
      env: { ROOT_ACCESS_KEY_ID: ROOT.accessKeyId, ROOT_SECRET_ACCESS_KEY: ROOT.secretAccessKey },
    };
  },
};

const sqs: Program = {
  version: '1.7.1',
  install: (folder, signal) => copyJars('org.elasticmq:elasticmq-server_2.13', sqs.version, folder, signal),
  start: async ({ folder, port, data }) => {
    const settings = join(data, 'elasticmq.conf');
    await mkdir(data, { recursive: true });
    await writeFile(
      settings,
      `include classpath("application.conf")
node-address { protocol = http, host = 127.0.0.1, port = ${port}, context-path = "" }
rest-sqs { enabled = true, bind-port = ${port}, bind-hostname = "127.0.0.1", sqs-limits = strict }
rest-stats { enabled = false }
aws { region = us-east-1, accountId = 000000000000 }
`,
    );
    const main = ['-cp', `${folder}/*`, 'org.elasticmq.server.Main'];
    return { command: 'java', args: ['-Xmx512m', `-Dconfig.file=${settings}`, ...main] };
  },
};

const PROGRAMS = { dynamodb, s3, sqs };
type Name = keyof typeof PROGRAMS;
export type Addresses = Readonly<Record<Name, string>>;

/** @throws LocalRunError with what is missing on this machine */
export async function installServers(detail: (text: string) => void, signal: AbortSignal): Promise<void> {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const folder = folderOf(name, program);
    if (existsSync(join(folder, COMPLETE))) continue;
    detail(`getting ${name} ${program.version}, once for this checkout`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await program.install(folder, signal);
    await writeFile(join(folder, COMPLETE), '');
  }
}

/** This file is written last. Without it an installation that was interrupted would look complete. */
const COMPLETE = 'complete';

const folderOf = (name: string, { version }: Program): string =>
  join(DEFAULT_STATE_FOLDER, 'second-engines', `${name}-${version}`);

/** Maven copies a library and all that it needs, as a POM says it. */
async function copyJars(
  library: string,
  version: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const [groupId, artifactId] = library.split(':');
  const own = '<groupId>genway</groupId><artifactId>second-engines</artifactId><version>1</version>';
  const dependency = `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`;
  const pom = join(folder, 'pom.xml');
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion>${own}<packaging>pom</packaging>
<dependencies><dependency>${dependency}</dependency></dependencies></project>
`,
  );
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  await run('mvn', ['--batch-mode', '--quiet', '--file', pom, ...copy], signal);
}

async function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { code, output } = await runCommand(command, args, { signal, env: { ...process.env, ...env } });
  signal.throwIfAborted();
  if (code === 0) return;
  const advice = 'the second engines need Java 17, Maven, Go, and on the first run the network';
  throw new LocalRunError(`${command} ${args.join(' ')} failed: ${advice}.`, { output });
}

export interface Servers {
  readonly addresses: Addresses;
  stop(): Promise<void>;
}

/** Starts all of them, empty. @param data a folder for their data and logs */
export async function startServers(data: string, signal: AbortSignal): Promise<Servers> {
  await using started = new AsyncDisposableStack();
  const start = async (name: Name): Promise<string> => {
    const port = await findFreePort();
    const server = await startServer(name, port, join(data, name));
    started.defer(server.stop);
    await untilListening(server, port, signal);
    return `http://127.0.0.1:${port}`;
  };
  const addresses = { dynamodb: await start('dynamodb'), s3: await start('s3'), sqs: await start('sqs') };
  const running = started.move();
  return { addresses, stop: () => running.disposeAsync() };
}

interface Server {
  readonly child: ChildProcess;
  readonly log: string;
  stop(): Promise<void>;
}

/** Runs a program until it ends or standard input closes, which the end of this process does, whatever its cause. */
const WITH_PARENT = '"$@" & program=$!; exec 3<&0; { cat <&3; kill -9 $program; } & wait $program';

async function startServer(name: Name, port: number, data: string): Promise<Server> {
  await mkdir(data, { recursive: true });
  const program = PROGRAMS[name];
  const { command, args, env } = await program.start({ folder: folderOf(name, program), port, data });
  const log = join(data, 'log');
  const output = await open(log, 'w');
  // Its own process group: Ctrl-C must not end it before the stage that calls it.
  const child = spawn('sh', ['-c', WITH_PARENT, command, command, ...args], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['pipe', output.fd, output.fd],
  });
  const ended = once(child, 'close').catch(() => undefined);
  await output.close();
  const stop = async () => {
    killGroup(child, 'SIGKILL');
    await ended;
  };
  return { child, log, stop };
}

const START_DEADLINE_MS = 60_000;

async function untilListening({ child, log }: Server, port: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (child.exitCode === null && child.pid !== undefined && Date.now() < deadline) {
    if (await isListening(port)) return;
    await sleep(100, undefined, { signal });
  }
  const output = await readFile(log, 'utf8');
  throw new LocalRunError(`${child.spawnargs.at(3)} did not start.`, { output });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
