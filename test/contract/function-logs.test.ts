import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { newRootAccess } from '../../local/emulator/aws-access.ts';
import { installEmulator, PROGRAM_FOLDER } from '../../local/emulator/install.ts';
import { serverCommand } from '../../local/emulator/server-command.ts';

interface Call {
  readonly lines: number;
  readonly text?: string;
  readonly fails?: true;
  readonly ends?: true;
  /** The function logs a line after its answer. */
  readonly later?: true;
  /** The function logs a line when nobody waits for it any more. */
  readonly stalls?: true;
}

/**
 * Runs a Python program that uses the emulator's modules and ours, and returns the JSON documents that it prints, one
 * on each line.
 */
async function printed(script: string, input = ''): Promise<unknown[]> {
  const program = await installEmulator(() => undefined);
  if (program.kind !== 'python') throw new Error('needs the emulator in its virtual environment');
  const { command, env } = serverCommand(program, tmpdir(), newRootAccess(1));
  const child = spawn(command, [join(import.meta.dirname, script)], {
    env: {
      ...env,
      TMPDIR: tmpdir(),
      PYTHONPATH: PROGRAM_FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      LOG_LEVEL: 'WARNING',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const output = await text(child.stdout);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Calls one function with each of these and returns the results, with what was logged. */
const logged = (calls: readonly Call[]) => printed('logging_calls.py', JSON.stringify(calls));

const lines = (count: number, each = '') => Array.from({ length: count }, (_, line) => `${line} ${each}`);

test('a call’s log has everything that it logged until its response, and no line of the local run', async () => {
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

test('a late log is part of the next call’s log, and later logs are correct', async () => {
  expect(await logged([{ lines: 1 }, { lines: 2, stalls: true }, { lines: 1 }, { lines: 3 }])).toEqual([
    { status: 'ok', log: lines(1) },
    { status: 'ok', log: [] },
    { status: 'ok', log: [...lines(2), ...lines(1)] },
    { status: 'ok', log: lines(3) },
  ]);
});

test('if two calls end at once, both logs are delivered', async () => {
  const told = v.parse(
    v.array(v.object({ logGroup: v.string(), text: v.string() })),
    await printed('calls_at_once.py'),
  );
  expect(told.filter(({ text }) => /^(first|second)$/.test(text))).toEqual([
    { logGroup: '/aws/lambda/f', text: 'second' },
    { logGroup: '/aws/lambda/f', text: 'first' },
  ]);
});
