import * as v from 'valibot';
import { runCommand } from '../system/run-command.ts';

/** The oldest version that the emulator supports (Requires-Python of its package). */
export const OLDEST_PYTHON: PythonVersion = [3, 10];

export type PythonVersion = readonly [major: number, minor: number];

export interface Python {
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
