import { expect, test } from '@jest/globals';
import { parseCommandLine, UsageError } from '../../../bin/webhooks/command-line.ts';

const local = { base_url: 'http://127.0.0.1:8787/api/v1', management_key: 'mk-local' };
const named = { url: 'https://genway.example/api/v1', key: 'mk-1' };
const environment = { GENWAY_URL: 'https://environment.example/api/v1', GENWAY_API_KEY: 'mk-2' };
const flags = ['--url', named.url, '--key', named.key];
const none = {};

test.each<[string, string[], Record<string, string>, string, string]>([
  ['the running local stage', [], none, local.base_url, local.management_key],
  ['the environment', [], environment, environment.GENWAY_URL, environment.GENWAY_API_KEY],
  ['the options before the environment', flags, environment, named.url, named.key],
  ['an address of one, a key of the other', ['--key', 'mk-3'], environment, environment.GENWAY_URL, 'mk-3'],
  ['an address with a slash', ['--url', `${named.url}/`, '--key', 'k'], none, named.url, 'k'],
])('listens to %s', (_, args, env, baseUrl, key) => {
  expect(parseCommandLine(['listen', ...args], env, local)).toEqual({
    baseUrl,
    key,
    workspace: 'default',
    forward: undefined,
    json: false,
  });
});

test('takes a workspace, an address to forward to, and the wish for bodies alone', () => {
  const args = ['listen', '--workspace', 'studio', '--forward', 'http://localhost:3000/hook', '--json'];
  expect(parseCommandLine(args, none, local)).toMatchObject({
    workspace: 'studio',
    forward: 'http://localhost:3000/hook',
    json: true,
  });
});

test.each([['--help'], ['listen', '--help'], ['-h']])('shows help for %j', (...args) => {
  expect(parseCommandLine(args, none, undefined)).toBe('help');
});

test.each<[string, string[], RegExp]>([
  ['no command', [], /^Give a command: listen$/],
  ['another command', ['tail'], /^Unknown command: tail; use listen$/],
  ['an argument too many', ['listen', 'x'], /^Unknown command: listen x; use listen$/],
  ['an unknown option', ['listen', '--port', '1'], /--port/],
  ['a key without an address', ['listen', '--key', 'k'], /^Give both --url and --key .*or neither$/],
  ['an address without a key', ['listen', '--url', named.url], /^Give both --url and --key .*or neither$/],
  [
    'an address that is none',
    ['listen', '--url', 'genway', '--key', 'k'],
    /^--url must be an http or https URL; it is genway$/,
  ],
  [
    'another scheme',
    ['listen', ...flags, '--forward', 'file:///etc'],
    /^--forward must be an http or https URL; it is file:/,
  ],
])('refuses %s', (_, args, message) => {
  const parse = () => parseCommandLine(args, none, local);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
});

test('without a running stage says how to come by one', () => {
  expect(() => parseCommandLine(['listen'], none, undefined)).toThrow(/npm start/);
});
