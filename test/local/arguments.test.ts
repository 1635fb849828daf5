import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseResetArguments, parseStartArguments } from '../../local/arguments.ts';
import { DEFAULT_STATE_FOLDER } from '../../local/state-folder.ts';

describe('npm start', () => {
  test('without arguments takes port 8787 and the checkout’s own state', () => {
    expect(parseStartArguments([])).toEqual({
      help: false,
      json: false,
      watch: false,
      port: 8787,
      stateDir: DEFAULT_STATE_FOLDER,
    });
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['65535', 65_535],
  ])('--port %s is accepted', (text, port) => {
    expect(parseStartArguments(['--port', text]).port).toBe(port);
  });

  test.each(['65536', '-1', 'x', '', '1.5', '0x10', '99999999'])('--port %p is refused by name', (text) => {
    expect(() => parseStartArguments([`--port=${text}`])).toThrow(
      `--port: ${text} is not a port; give a number from 0 to 65535`,
    );
  });

  test('--state is taken from the current folder', () => {
    expect(parseStartArguments(['--state', 'elsewhere']).stateDir).toBe(resolve('elsewhere'));
  });

  test('an empty --state is refused: it would be the current folder', () => {
    expect(() => parseStartArguments(['--state='])).toThrow('--state: give the name of a folder');
  });

  test('--json, --watch and --help are switches', () => {
    const switches = { json: true, watch: true, help: true };
    expect(parseStartArguments(['--json', '--watch', '--help'])).toMatchObject(switches);
  });

  test.each([['--bogus'], ['positional']])('%s is refused with a hint at --help', (argument) => {
    expect(() => parseStartArguments([argument])).toThrow(/--help lists the options/);
  });
});

describe('npm run reset', () => {
  test('takes the same folder as npm start', () => {
    expect(parseResetArguments(['--state', 'elsewhere'])).toEqual({
      help: false,
      stateDir: resolve('elsewhere'),
    });
  });

  test('knows no port', () => {
    expect(() => parseResetArguments(['--port', '1'])).toThrow(/--port/);
  });
});
