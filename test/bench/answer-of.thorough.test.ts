import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { answerOf } from '../../bench/answer-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'genway-answer-'));
const file = join(folder, 'child.mjs');
let child: ChildProcess | undefined;

beforeAll(() => {
  const program = "process.on('message', (message) => typeof message === 'number' ? process.exit(message) :";
  writeFileSync(file, `${program} process.send(message));`);
});
beforeEach(() => {
  child = fork(file);
});
afterEach(() => {
  child?.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

function ask(message: number | string): Promise<unknown> {
  if (child === undefined) throw new Error('no child');
  const answer = answerOf(child);
  child.send(message);
  return answer;
}

test('is the message, and leaves no listener', async () => {
  expect(await ask('hello')).toBe('hello');
  expect(child?.listenerCount('exit')).toBe(0);
});

test.each([0, 3])('fails with the exit code %d of a child that ends first', async (code) => {
  await expect(ask(code)).rejects.toThrow(`child.mjs ended with ${code} before it answered`);
});

test('fails with the signal that ended the child, also afterwards', async () => {
  if (child === undefined) throw new Error('no child');
  const answer = answerOf(child);
  child.kill('SIGTERM');
  await expect(answer).rejects.toThrow('ended with SIGTERM');
  await expect(answerOf(child)).rejects.toThrow('ended with SIGTERM');
});
