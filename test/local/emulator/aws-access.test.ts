import { delimiter, dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  accessTo,
  awsEnvironment,
  cleanEnvironment,
  newRootAccess,
} from '../../../local/emulator/aws-access.ts';

describe('the environment of a started program', () => {
  test.each([
    'AWS_PROFILE',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ENDPOINT_URL',
    'aws_session_token',
    'CDK_CONTEXT_JSON',
    'npm_config_registry',
  ])('lacks the user’s %s', (name) => {
    expect(cleanEnvironment({ [name]: 'real', HOME: '/home/me' })).not.toHaveProperty(name);
  });

  test('keeps the rest, with this Node.js first in PATH', () => {
    const environment = cleanEnvironment({ HOME: '/home/me', PATH: '/usr/bin' });
    expect(environment).toEqual({
      HOME: '/home/me',
      PATH: `${dirname(process.execPath)}${delimiter}/usr/bin`,
    });
  });

  test('finds the emulator and no configured account', () => {
    expect(awsEnvironment(accessTo('http://127.0.0.1:4566'))).toMatchObject({
      AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    });
  });
});

test.each(['accessKeyId', 'secretAccessKey'] as const)(
  'every run has a root %s that nobody can guess',
  (part) => {
    const [one, other] = [newRootAccess(1).credentials[part], newRootAccess(1).credentials[part]];
    expect(one).toMatch(/[0-9a-f]{40}$/);
    expect(one).not.toBe(other);
  },
);
