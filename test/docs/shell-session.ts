import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { killGroup } from '../../local/system/run-command.ts';

/** Each block runs in a new process. The next block gets its variables, functions and working directory. */
const wrapped = (text: string) => `set -aeuo pipefail
[ ! -f "$BLOCK_STATE" ] || . "$BLOCK_STATE"
trap 'export -p > "$BLOCK_STATE"; declare -fx >> "$BLOCK_STATE"; printf "cd %q\\n" "$PWD" >> "$BLOCK_STATE"' EXIT
${text}
`;

/** Makes curl print the status of every answer to stderr, so that it does not mix with the block's own output. */
const CURLRC = 'write-out = "%{stderr}\\n<HTTP %{http_code}>\\n"\n';
const STATUS = /^<HTTP (\d{3})>$/gm;
const LOOK_MS = 100;

export interface Ran {
  /** Null while the block runs. */
  readonly code: number | null;
  /** Everything printed since the block started, also by processes in the background. */
  readonly output: string;
  /** The statuses of curl's answers, in order. */
  readonly statuses: readonly string[];
}

/** A shell like that of a reader: in a folder that looks like a checkout, with the Node.js installed on the machine. */
export class ShellSession {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#environment = { ...environment, CURL_HOME: folder, BLOCK_STATE: this.#stateFile };
  }

  /** Opens a session in `folder`, which must not exist yet. */
  static async open(folder: string, { entries, environment, from }: SessionStart): Promise<ShellSession> {
    await mkdir(join(folder, '.genway'), { recursive: true });
    for (const [name, target] of entries) await symlink(target, join(folder, name));
    await writeFile(join(folder, '.curlrc'), CURLRC);
    const { PATH = '' } = process.env;
    // With this home no page can use the AWS credentials of the person who runs the tests.
    const isolated = { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
    const session = new ShellSession(folder, { ...isolated, ...environment, PATH: withoutNpm(PATH) });
    await writeFile(session.#transcript, '');
    if (from !== undefined) {
      const state = await readFile(from.#stateFile, 'utf8');
      await writeFile(session.#stateFile, state.replaceAll(from.folder, folder).replace(/^cd .*\n$/m, ''));
    }
    return session;
  }

  /** Runs a block to its end. Processes in the background may continue. */
  async run(text: string): Promise<Ran> {
    const { child, read } = await this.#start(text);
    if (child.exitCode === null) await once(child, 'exit');
    return read();
  }

  /** Runs a block until it prints this text or fails. */
  async runUntil(text: string, printed: string): Promise<Ran> {
    const { child, read } = await this.#start(text);
    for (;;) {
      // Read after its end, or the last that it printed may be missing.
      const failed = child.exitCode;
      const ran = await read();
      if (ran.output.includes(printed) || failed) return ran;
      await wait(LOOK_MS);
    }
  }

  close(): void {
    for (const child of this.#started) killGroup(child, 'SIGKILL');
  }

  get #transcript(): string {
    return join(this.folder, '.genway', 'transcript');
  }

  get #stateFile(): string {
    return join(this.folder, '.genway', 'block-state');
  }

  async #start(text: string): Promise<{ child: ChildProcess; read: () => Promise<Ran> }> {
    const before = (await readFile(this.#transcript, 'utf8')).length;
    const terminal = await open(this.#transcript, 'a');
    const child = spawn('bash', ['-c', wrapped(text)], {
      cwd: this.folder,
      env: this.#environment,
      // A separate process group, so that everything the block leaves running can be ended.
      detached: true,
      stdio: ['ignore', terminal.fd, terminal.fd],
    });
    this.#started.push(child);
    await once(child, 'spawn');
    await terminal.close();
    const read = async () => {
      const all = (await readFile(this.#transcript, 'utf8')).slice(before);
      const statuses = [...all.matchAll(STATUS)].map(([, status = '']) => status);
      return { code: child.exitCode, output: all.replaceAll(STATUS, ''), statuses };
    };
    return { child, read };
  }
}

interface SessionStart {
  /** Names in the folder, and the files that they link to. */
  readonly entries: readonly (readonly [name: string, target: string])[];
  readonly environment: Readonly<Record<string, string>>;
  /** The session whose variables and functions this one starts with. */
  readonly from?: ShellSession | undefined;
}

/** npm adds folders for its scripts to PATH. They contain another Node.js than the reader's. */
const withoutNpm = (path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(delimiter);
