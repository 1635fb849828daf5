import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../local/system/ports.ts';
import { DEFAULT_STATE_FOLDER } from '../../local/system/state-folder.ts';

interface Place {
  /** Of the program. */
  readonly folder: string;
  /** Of its data and log. */
  readonly data: string;
  readonly port: number;
}

/** One server and how to get it. Each is a process that holds everything in memory or in the run's own folder. */
interface Program {
  readonly version: string;
  /** Puts the program into the folder, with the usual client of its registry. */
  readonly install: (folder: string) => void;
  /** @returns the command and its arguments */
  readonly start: (place: Place) => [command: string, ...args: string[]];
}

/** The root of the S3 server. It listens on this machine only, and ends with the run. */
export const ROOT = { accessKeyId: 'secondengines', secretAccessKey: 'secondengines' };

const dynamodb: Program = {
  version: '2.6.1',
  install: (folder) => copyJars('com.amazonaws:DynamoDBLocal', dynamodb.version, folder),
  start: ({ folder, port }) => [
    ...(['java', '-Xmx1g', `-Djava.library.path=${folder}`] as const),
    ...['-cp', `${folder}/*`, 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'],
    ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
  ],
};

const s3: Program = {
  version: '1.8.0',
  install: (folder) => {
    const module = `github.com/versity/versitygw/cmd/versitygw@v${s3.version}`;
    run('go', ['install', module], { GOBIN: folder });
  },
  start: ({ folder, port, data }) => {
    const [objects = '', versions = '', sidecar = '', users = ''] = [
      'objects',
      'versions',
      'sidecar',
      'users',
    ].map((name) => {
      mkdirSync(join(data, name));
      return join(data, name);
    });
    return [
      ...([
        join(folder, 'versitygw'),
        '--access',
        ROOT.accessKeyId,
        '--secret',
        ROOT.secretAccessKey,
      ] as const),
      ...['--port', `127.0.0.1:${port}`, '--quiet', '--iam-dir', users],
      // Not every file system has the extended attributes in which it would otherwise keep what is said of an object.
      ...['posix', '--versioning-dir', versions, '--sidecar', sidecar, objects],
    ];
  },
};

const sqs: Program = {
  version: '1.7.1',
  install: (folder) => copyJars('org.elasticmq:elasticmq-server_2.13', sqs.version, folder),
  start: ({ folder, port, data }) => {
    const settings = join(data, 'elasticmq.conf');
    writeFileSync(
      settings,
      `include classpath("application.conf")
node-address { protocol = http, host = 127.0.0.1, port = ${port}, context-path = "" }
rest-sqs { enabled = true, bind-port = ${port}, bind-hostname = "127.0.0.1", sqs-limits = strict }
rest-stats { enabled = false }
aws { region = us-east-1, accountId = 000000000000 }
`,
    );
    const main = ['-cp', `${folder}/*`, 'org.elasticmq.server.Main'];
    return ['java', '-Xmx512m', `-Dconfig.file=${settings}`, ...main];
  },
};

/** Maven copies a library and all that it needs, as a POM says it. */
function copyJars(library: string, version: string, folder: string): void {
  const [groupId, artifactId] = library.split(':');
  const own = '<groupId>genway</groupId><artifactId>second-engines</artifactId><version>1</version>';
  const dependency = `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`;
  const pom = join(folder, 'pom.xml');
  writeFileSync(
    pom,
    `<project><modelVersion>4.0.0</modelVersion>${own}<packaging>pom</packaging>
<dependencies><dependency>${dependency}</dependency></dependencies></project>
`,
  );
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  run('mvn', ['--batch-mode', '--quiet', '--file', pom, ...copy]);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  try {
    execFileSync(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
  } catch (cause) {
    const needed = 'The second engines need Java 17, Maven, Go, and on the first run the network';
    throw new Error(needed, { cause });
  }
}

/** This file is written last. Without it an installation that was interrupted would look complete. */
const COMPLETE = 'complete';

/** @returns the folder of the program, which is installed once for this checkout */
function installed(name: string, { version, install }: Program): string {
  const folder = join(DEFAULT_STATE_FOLDER, 'second-engines', `${name}-${version}`);
  if (existsSync(join(folder, COMPLETE))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(join(folder, COMPLETE), '');
  return folder;
}

export interface Servers {
  readonly addresses: { readonly dynamodb: string; readonly s3: string; readonly sqs: string };
  stop(): Promise<unknown>;
}

/** Starts all of them, empty. @param root a folder for their data and logs */
export async function startServers(root: string): Promise<Servers> {
  const stops: (() => Promise<unknown>)[] = [];
  const start = async (name: string, program: Program): Promise<string> => {
    const { address, stop } = await startServer(name, program, join(root, name));
    stops.push(stop);
    return address;
  };
  return {
    addresses: {
      dynamodb: await start('dynamodb', dynamodb),
      s3: await start('s3', s3),
      sqs: await start('sqs', sqs),
    },
    stop: () => Promise.all(stops.map((stop) => stop())),
  };
}

/** Runs a program until it ends or standard input closes, which the end of this process does, whatever its cause. */
const WITH_PARENT = '"$@" & program=$!; exec 3<&0; { cat <&3; kill -9 $program; } & wait $program';
const START_DEADLINE_MS = 60_000;

async function startServer(name: string, program: Program, data: string) {
  const folder = installed(name, program);
  mkdirSync(data, { recursive: true });
  const port = await findFreePort();
  const log = join(data, 'log');
  const output = openSync(log, 'w');
  const command = program.start({ folder, data, port });
  // Its own process group: Ctrl-C must not end it before the stage that calls it.
  const child = spawn('sh', ['-c', WITH_PARENT, name, ...command], {
    detached: true,
    stdio: ['pipe', output, output],
  });
  const ended = once(child, 'close');
  const address = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await isListening(address))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${name} did not start:\n${readFileSync(log, 'utf8')}`);
    await sleep(100);
  }
  const stop = () => {
    child.stdin?.end();
    return ended;
  };
  return { address, stop };
}

/** Whether it answers at all. */
const isListening = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );
