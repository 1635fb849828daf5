import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPythons } from '../../local/emulator/install.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { DEFAULT_STATE_FOLDER } from '../../local/system/state-folder.ts';

/** Installs the packages of a file once for this checkout. Returns the folder of their programs. */
export async function pythonPackages(file = 'requirements.txt'): Promise<string> {
  const requirements = join(import.meta.dirname, file);
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(DEFAULT_STATE_FOLDER, `python-${digest.slice(0, 12)}`);
  const programs = join(folder, 'bin');
  // This file is written last. Without it an installation that Ctrl-C interrupted would look complete.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return programs;
  const [python] = await findPythons();
  if (python === undefined) throw new Error('These tests need Python 3.10 or newer');
  await run(python, ['-m', 'venv', folder]);
  // Programs use a small part of what pip would compile.
  const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement', requirements];
  await run(join(programs, 'python'), install);
  await writeFile(complete, '');
  return programs;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}
