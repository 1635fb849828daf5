import { expect, test } from '@jest/globals';
import { findTarget, type TargetOptions, targetOptions } from '../../../bin/cli/api-command.ts';
import { UsageError } from '../../../bin/cli/cli.ts';

const local = { base_url: 'http://127.0.0.1:8787/api/v1', management_key: 'mk-local', api_key: 'sk-local' };
const named = { url: 'https://genway.example/api/v1', key: 'mk-1' };
const environment = { GENWAY_URL: 'https://environment.example/api/v1', GENWAY_API_KEY: 'mk-2' };
const none = {};

test.each<[string, { url?: string; key?: string }, Record<string, string>, string, string]>([
  ['the running local stage', none, none, local.base_url, local.management_key],
  ['the environment', none, environment, environment.GENWAY_URL, environment.GENWAY_API_KEY],
  ['the options before the environment', named, environment, named.url, named.key],
  [
    'the environment’s address with the option’s key',
    { key: 'mk-3' },
    environment,
    environment.GENWAY_URL,
    'mk-3',
  ],
  ['an address with a slash', { ...named, url: `${named.url}/` }, none, named.url, named.key],
])('a command goes to %s', (_, options, env, baseUrl, key) => {
  expect(findTarget(options, env, local, 'management_key')).toEqual({ baseUrl, key });
});

test('a named state folder goes before the environment', () => {
  expect(findTarget({ state: '/tmp/second' }, environment, local, 'api_key')).toEqual({
    baseUrl: local.base_url,
    key: local.api_key,
  });
  expect(() => findTarget({ state: '/tmp/second' }, environment, undefined, 'api_key')).toThrow(
    'No running local stage was found in /tmp/second. In a checkout, start one with npm start -- --state /tmp/second, or set --url and --key instead of --state',
  );
});

test.each([
  [{}, ''],
  [{ url: 'https://a/api/v1', key: 'sk-secret' }, ' --url https://a/api/v1 --key KEY'],
  [{ state: '/tmp/my stage' }, " --state '/tmp/my stage'"],
])('a command that is printed after %j calls the same deployment, without the key', (options, text) => {
  expect(targetOptions(options)).toBe(text);
});

test('a command that needs no management key uses the API key', () => {
  expect(findTarget(none, none, local, 'api_key').key).toBe('sk-local');
});

test.each<[string, TargetOptions, Record<string, string>, RegExp]>([
  ['a folder and an address', { ...named, state: '/tmp/second' }, none, /^Use --state, or --url/],
  ['a key without an address', { key: 'k' }, none, /^Set both --url and --key .*or neither$/],
  ['an address without a key', { url: named.url }, none, /^Set both --url and --key .*or neither$/],
  ['half an environment', none, { GENWAY_URL: named.url }, /^Set both --url and --key .*or neither$/],
  [
    'something that is not an address',
    { url: 'genway', key: 'k' },
    none,
    /^--url must be an http or https URL; it is genway$/,
  ],
  [
    'an environment with something that is not an address',
    none,
    { GENWAY_URL: 'genway', GENWAY_API_KEY: 'k' },
    /^GENWAY_URL must be an http or https URL; it is genway$/,
  ],
])('refuses %s', (_, options, env, message) => {
  const find = () => findTarget(options, env, local, 'api_key');
  expect(find).toThrow(UsageError);
  expect(find).toThrow(message);
});

test('without a running stage says how to start one', () => {
  expect(() => findTarget(none, none, undefined, 'api_key')).toThrow(/npm start/);
});
