import { runCommand } from './run-command.ts';

/** The emulator's own floor (Requires-Python of its package). */
export const OLDEST_PYTHON: PythonVersion = [3, 10];

export type PythonVersion = readonly [major: number, minor: number];

const CANDIDATES = [
  'python3',
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python',
];
const PROBE = 'import sys; print("%d.%d" % sys.version_info[:2])';

/** Every Python in PATH that the emulator runs on, the system's default first. */
export async function findPythons(signal?: AbortSignal): Promise<string[]> {
  const answers = await Promise.all(
    CANDIDATES.map(async (command) => {
      const { code, output } = await runCommand(command, ['-c', PROBE], { signal });
      return { command, version: code === 0 ? parsePythonVersion(output) : undefined };
    }),
  );
  return answers.filter(({ version }) => version !== undefined && isSupported(version)).map((a) => a.command);
}

export function parsePythonVersion(output: string): PythonVersion | undefined {
  const found = /^(\d+)\.(\d+)$/.exec(output.trim());
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

export function isSupported([major, minor]: PythonVersion): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_PYTHON;
  return major === oldestMajor && minor >= oldestMinor;
}
