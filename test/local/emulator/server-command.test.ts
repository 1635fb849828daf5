import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newRootAccess } from '../../../local/emulator/aws-access.ts';
import { PROGRAM_FOLDER } from '../../../local/emulator/install.ts';
import { serverCommand } from '../../../local/emulator/server-command.ts';

const access = newRootAccess(20_001);
const { accessKeyId, secretAccessKey } = access.credentials;

describe('the emulator in a virtual environment', () => {
  const { command, args, env } = serverCommand({ kind: 'python', python: '/venv/python' }, '/state', access);

  test('is served by the program with the guard, only on loopback', () => {
    expect([command, ...args]).toEqual(['/venv/python', join(PROGRAM_FOLDER, 'serve.py')]);
    expect(env).toMatchObject({ BIND_HOST: '127.0.0.1', GATEWAY_PORT: '20001', AUTH: 'true' });
  });

  test('knows the root key that the guard expects', () => {
    expect(env).toMatchObject({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  });
});

describe('the emulator in its container', () => {
  const { command, args, env } = serverCommand({ kind: 'docker', image: 'ministack:1' }, '/state', access);

  test('is served by the same program, with all files beside it', () => {
    expect(command).toBe('docker');
    expect(args.slice(-4)).toEqual(['--entrypoint', 'python', 'ministack:1', '/genway/serve.py']);
    expect(args).toContain(`${PROGRAM_FOLDER}:/genway:ro`);
    for (const file of ['serve.py', 'guard.py', 'role_keys.py', 'function_logs.py', 'log_marks.py']) {
      expect(existsSync(join(PROGRAM_FOLDER, file))).toBe(true);
    }
  });

  test('is published only on loopback', () => {
    expect(args[args.indexOf('--publish') + 1]).toBe('127.0.0.1:20001:20001');
  });

  test('gets its keys by variable name, so that no process list shows them', () => {
    expect(args).toEqual(expect.arrayContaining(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']));
    expect(args.join(' ')).not.toContain(accessKeyId);
    expect(args.join(' ')).not.toContain(secretAccessKey);
    expect(env).toMatchObject({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  });
});
