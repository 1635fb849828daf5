import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findPythons } from '../../local/emulator/python.ts';
import { DEFAULT_STATE_FOLDER } from '../../local/state-folder.ts';
import { runCommand } from '../../local/system/run-command.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** Installs schemathesis once for this checkout; gives its program. */
export async function installSchemathesis(): Promise<string> {
  const folder = join(DEFAULT_STATE_FOLDER, 'schemathesis');
  const program = join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  const [python] = await findPythons();
  if (python === undefined) throw new Error('schemathesis needs Python 3.10 or newer');
  await run(python, ['-m', 'venv', folder]);
  const install = ['-m', 'pip', 'install', '--quiet', '--requirement', REQUIREMENTS];
  await run(join(folder, 'bin/python'), install).catch(async (error: unknown) => {
    // Half of it would be taken for all of it the next time.
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return program;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}
