import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { newRootAccess } from '../../local/emulator/aws-access.ts';
import { installEmulator, PROGRAM_FOLDER } from '../../local/emulator/install.ts';
import { serverCommand } from '../../local/emulator/server-command.ts';

interface Call {
  readonly lines: number;
  readonly text?: string;
  readonly fails?: true;
  readonly ends?: true;
  /** Logs a line after its answer. */
  readonly later?: true;
}

/** What each of these calls of one function ends in, and has logged. */
async function logged(calls: readonly Call[]): Promise<unknown[]> {
  const program = await installEmulator(() => undefined);
  if (program.kind !== 'python') throw new Error('needs the emulator in its virtual environment');
  const { command, env } = serverCommand(program, tmpdir(), newRootAccess(1));
  const child = spawn(command, [join(import.meta.dirname, 'logging_calls.py')], {
    env: {
      ...env,
      TMPDIR: tmpdir(),
      PYTHONPATH: PROGRAM_FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      LOG_LEVEL: 'WARNING',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(calls));
  const output = await text(child.stdout);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const lines = (count: number, each = '') => Array.from({ length: count }, (_, line) => `${line} ${each}`);

test('a call’s log is what it has logged until its answer, however much, and nothing of ours', async () => {
  const long = 'x'.repeat(200);
  expect(
    await logged([
      { lines: 2 },
      { lines: 0 },
      { lines: 2000, text: long },
      { lines: 1, later: true },
      { lines: 1 },
      { lines: 3, fails: true },
      { lines: 1 },
      { lines: 2, ends: true },
      { lines: 1 },
    ]),
  ).toEqual([
    { status: 'ok', log: lines(2) },
    { status: 'ok', log: [] },
    { status: 'ok', log: lines(2000, long) },
    { status: 'ok', log: lines(1) },
    { status: 'ok', log: ['later', ...lines(1)] },
    { status: 'error', log: lines(3) },
    { status: 'ok', log: lines(1) },
    { status: 'error', log: lines(2) },
    { status: 'ok', log: lines(1) },
  ]);
});
