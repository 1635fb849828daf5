import { describe, expect, test } from '@jest/globals';
import { choosePythons } from '../../../local/emulator/install.ts';

const answer = (command: string, version: unknown, home = `/opt/${command}`) => ({
  command,
  output: JSON.stringify({ version, home }),
});

describe('choosing a Python for the emulator', () => {
  test.each([
    [[3, 9], false],
    [[3, 10], true],
    [[3, 14], true],
    [[4, 0], false],
    [[2, 7], false],
  ])('%j: %p', (version, chosen) => {
    expect(choosePythons([answer('python3', version)])).toHaveLength(chosen ? 1 : 0);
  });

  test('keeps the order in which they were asked', () => {
    const answers = [answer('python3', [3, 11]), answer('python3.13', [3, 13])];
    expect(choosePythons(answers).map(({ command }) => command)).toEqual(['python3', 'python3.13']);
  });

  test('takes a Python with two names once', () => {
    const answers = [answer('python3', [3, 11], '/usr'), answer('python', [3, 11], '/usr')];
    expect(choosePythons(answers).map(({ command }) => command)).toEqual(['python3']);
  });

  test.each([
    '',
    'Python was not found; run without arguments to install',
    '{}',
    '{"version":[3],"home":"/"}',
  ])('skips a program that answers %p', (output) => {
    expect(choosePythons([{ command: 'python3', output }])).toEqual([]);
  });
});
