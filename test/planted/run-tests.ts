import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { PlantedBug } from './planted-bug.ts';

const ROOT = join(import.meta.dirname, '../..');
const failureSchema = v.object({ code: v.number(), stderr: v.string() });

/** @returns the first test that fails because of the bug, or undefined if none fails */
export async function runTests(bug: PlantedBug, tests: readonly string[]): Promise<string | undefined> {
  const args = [
    '--no-warnings',
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    ...tests,
    '--config',
    join(import.meta.dirname, 'jest.config.js'),
    '--testTimeout=60000',
  ];
  const { file, from, to } = bug;
  const env = { ...process.env, GENWAY_PLANTED: JSON.stringify({ file, from, to }) };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, maxBuffer: 64 * 1024 ** 2 });
    return undefined;
  } catch (error) {
    const { stderr } = v.parse(failureSchema, error);
    // If a file does not even load, no test has found the bug.
    const [, failed] = /●.*›\s*(.*)/.exec(stderr) ?? /● (.*)/.exec(stderr) ?? [];
    if (failed === undefined || failed.startsWith('Test suite failed')) throw new Error(stderr);
    return failed;
  }
}
