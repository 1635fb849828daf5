import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { LocalRunError } from '../system/failure.ts';
import { runCommand } from '../system/run-command.ts';
import { DEFAULT_STATE_FOLDER } from '../system/state-folder.ts';

export const PROGRAM_FOLDER = import.meta.dirname;
const REQUIREMENTS = join(PROGRAM_FOLDER, 'requirements.txt');

/** What can run the emulator on this machine. */
export type EmulatorProgram =
  | { readonly kind: 'python'; readonly python: string }
  | { readonly kind: 'docker'; readonly image: string };

/**
 * Installs the emulator in a private virtual environment, once for all runs in this checkout. Without a suitable
 * Python, uses the emulator's container.
 */
export async function installEmulator(
  detail: (text: string) => void,
  signal?: AbortSignal,
): Promise<EmulatorProgram> {
  const version = await pinnedVersion();
  const folder = join(DEFAULT_STATE_FOLDER, `emulator-${version}`);
  if (await isInstalled(folder, signal)) return { kind: 'python', python: pythonOf(folder) };

  const pythons = await findPythons(signal);
  const failures: string[] = [];
  for (const python of pythons) {
    detail(`installing it with ${python}, once for this checkout`);
    const failure = await installWith(python, folder, signal);
    signal?.throwIfAborted();
    if (failure === undefined) return { kind: 'python', python: pythonOf(folder) };
    failures.push(failure);
  }
  if (!(await hasDocker(signal))) throw notInstallable(pythons, failures);
  const image = `ministackorg/ministack:${version}`;
  detail(`getting ${image}, once`);
  return { kind: 'docker', image: await pullImage(image, signal) };
}

async function pinnedVersion(): Promise<string> {
  const found = /^ministack==(\S+)/m.exec(await readFile(REQUIREMENTS, 'utf8'));
  if (found?.[1] === undefined) throw new Error(`${REQUIREMENTS} does not pin the emulator`);
  return found[1];
}

/** Also false if the Python of the environment has been removed since. */
async function isInstalled(folder: string, signal?: AbortSignal): Promise<boolean> {
  if (!existsSync(folder)) return false;
  return (await runCommand(pythonOf(folder), ['-c', 'import ministack'], { signal })).code === 0;
}

function pythonOf(folder: string): string {
  return join(folder, 'bin', 'python');
}

/** The output of pip or venv if it failed, otherwise undefined. */
async function installWith(
  python: string,
  folder: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), `${basename(folder)}.`));
  try {
    const venv = await runCommand(python, ['-m', 'venv', draft], { signal });
    if (venv.code !== 0) return venv.output;
    const pip = [
      '-m',
      'pip',
      '--disable-pip-version-check',
      '--no-input',
      '--retries',
      '2',
      '--timeout',
      '15',
    ];
    const install = ['install', '--quiet', '--quiet', '--require-hashes', '--requirement', REQUIREMENTS];
    const installed = await runCommand(pythonOf(draft), [...pip, ...install], { signal });
    if (installed.code !== 0) return installed.output;
    await publish(draft, folder, signal);
    return undefined;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A rename is atomic: a parallel run sees a complete environment or none, and the first to finish wins. */
async function publish(draft: string, folder: string, signal?: AbortSignal): Promise<void> {
  if (await isInstalled(folder, signal)) return;
  await rm(folder, { recursive: true, force: true });
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!(await isInstalled(folder, signal))) throw error;
  }
}

async function pullImage(image: string, signal?: AbortSignal): Promise<string> {
  const isHere = await runCommand('docker', ['image', 'inspect', image], { signal });
  if (isHere.code === 0) return image;
  const { code, output } = await runCommand('docker', ['pull', '--quiet', image], { signal });
  if (code === 0) return image;
  throw new LocalRunError(
    `The AWS emulator's image ${image} could not be pulled: connect to the network and start again, or install Python ${OLDEST_PYTHON.join('.')} or newer.`,
    { output },
  );
}

async function hasDocker(signal?: AbortSignal): Promise<boolean> {
  return (await runCommand('docker', ['info', '--format', '{{.ServerVersion}}'], { signal })).code === 0;
}

function notInstallable(pythons: readonly string[], failures: readonly string[]): LocalRunError {
  const oldest = OLDEST_PYTHON.join('.');
  const otherwise = 'or start Docker, or set AWS_ENDPOINT_URL to the URL of a running emulator';
  if (pythons.length === 0) {
    return new LocalRunError(
      `The AWS emulator needs Python ${oldest} or newer, or Docker, and neither was found: install Python (https://www.python.org/downloads), ${otherwise}.`,
    );
  }
  const output = failures.join('\n');
  if (/ensurepip|No module named venv/.test(output)) {
    return new LocalRunError(
      `${pythons[0]} cannot create virtual environments: install its venv module (Debian and Ubuntu: apt install python3-venv), ${otherwise}.`,
      { output },
    );
  }
  return new LocalRunError(
    `The AWS emulator could not be installed: the first start needs the network to reach the Python package index (pip). Connect to the network and start again, ${otherwise}.`,
    { output },
  );
}

/** The oldest version that the emulator supports (Requires-Python of its package). */
const OLDEST_PYTHON: PythonVersion = [3, 10];

type PythonVersion = readonly [major: number, minor: number];

interface Python {
  readonly command: string;
  readonly version: PythonVersion;
  /** Where it is installed: the same for all names of one Python. */
  readonly home: string;
}

const CANDIDATES = [
  'python3',
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python',
];
const PROBE =
  'import json, sys; print(json.dumps({"version": sys.version_info[:2], "home": sys.base_prefix}))';

const probeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ version: v.tuple([v.number(), v.number()]), home: v.string() }),
);

/** Every Python in PATH that can run the emulator, the system's default first. */
export async function findPythons(signal?: AbortSignal): Promise<string[]> {
  const answers = await Promise.all(
    CANDIDATES.map(async (command) => {
      const { code, output } = await runCommand(command, ['-c', PROBE], { signal });
      return { command, output: code === 0 ? output : '' };
    }),
  );
  return choosePythons(answers).map(({ command }) => command);
}

/** Chooses the Pythons that are new enough from the answers to the probe, each once. */
export function choosePythons(answers: readonly { command: string; output: string }[]): Python[] {
  const chosen = new Map<string, Python>();
  for (const { command, output } of answers) {
    const probe = v.safeParse(probeSchema, output);
    if (!probe.success || !isSupported(probe.output.version) || chosen.has(probe.output.home)) continue;
    chosen.set(probe.output.home, { command, ...probe.output });
  }
  return [...chosen.values()];
}

function isSupported([major, minor]: PythonVersion): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_PYTHON;
  return major === oldestMajor && minor >= oldestMinor;
}
