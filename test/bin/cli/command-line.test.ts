import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { CommandFailed } from '../../../bin/cli/cli.ts';
import { DemoApi } from '../../../local/demo/demo-api.ts';
import type { UpOptions } from '../../../local/start.ts';
import { LocalRunError } from '../../../local/system/failure.ts';
import { DEFAULT_STATE_FOLDER } from '../../../local/system/state-folder.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { HOSTILE, OBEYED } from '../../local/terminal/hostile-text.ts';
import { genway } from './genway.ts';

const ADMIN = [
  'create-management-key',
  'list-keys',
  'disable-key',
  'rotate-key',
  'grant-credits',
  'create-canary-key',
  'endpoints',
  'try-provider',
  'restore-rows',
];
const INCIDENT = ['workers', 'pause', 'resume', 'redrive', 'drain', 'undrain', 'explain', 'quarantine'];
const COMMANDS: string[][] = [
  ...[
    'up',
    'reset',
    'demo',
    'dashboard',
    'video',
    'upload',
    'jobs',
    'listen',
    'trigger',
    'doctor',
    'changes',
    'adopt',
    'verify',
  ].map((name) => [name]),
  ...['list', 'create', 'disable'].map((name) => ['keys', name]),
  ...['list', 'approve', 'refuse'].map((name) => ['approvals', name]),
  ...['show', 'set', 'delete'].map((name) => ['budget', name]),
  ...ADMIN.map((name) => ['admin', name]),
  ...INCIDENT.map((name) => ['admin', 'incident', name]),
];

describe('help', () => {
  test.each([
    ['jobs', '<key> API key or management key ('],
    ['demo', '<key> API key or management key ('],
    ['keys create', '<key> management key ('],
    ['budget set', '<key> management key ('],
    ['approvals approve', '<key> management key ('],
    ['listen', '<key> management key ('],
    ['trigger', '<key> management key ('],
    ['verify', '<key> management key ('],
  ])('of %s says which kind of key it takes', async (command, key) => {
    const { out } = await genway([...command.split(' '), '--help']);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(key);
  });

  test.each([...COMMANDS, ['keys'], ['approvals'], ['budget'], ['admin'], ['admin', 'incident']])(
    '%s %s explains itself with examples, and does nothing',
    async (...args) => {
      const { code, out, err } = await genway([...args, '--help']);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`Usage: genway ${args.join(' ')}`);
      expect(out).toContain(`Examples:\n  genway ${args.join(' ')}`);
      const description = out.split('\n\n')[1]?.split('\n') ?? [];
      expect(description.slice(0, -1).filter((line) => line.length < 60)).toEqual([]);
    },
  );

  test('lists every command and the exit codes', async () => {
    const { code, out } = await genway(['--help']);
    expect(code).toBe(0);
    for (const [name] of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    expect(out).toContain('Exit codes: 0 success');
  });

  test('has a version, that of package.json', async () => {
    expect(await genway(['--version'])).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: '' });
  });

  test.each([[[]], [['admin']], [['keys']]])(
    'is printed with an error if a command is missing: %j',
    async (args) => {
      const { code, out, err } = await genway(args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('Usage: genway');
    },
  );
});

describe('a wrong command line', () => {
  test.each([
    [['make-tea'], 'make-tea'],
    [['jobs', '--nope'], '--nope'],
    [['demo', '--json'], '--json'],
    [['jobs', 'a', 'b'], 'too many arguments'],
    [['video'], "missing required argument 'prompt'"],
    [['video', 'A fox', '--duration', 'soon'], 'It must be a whole number of at most 10 digits.'],
    [['budget', 'set', 'hourly', '5'], 'daily, weekly, monthly, lifetime'],
    [['budget', 'set', 'daily', '-5'], '-5'],
    [['budget', 'set', 'daily', '5.1234567'], 'at most a billion, with at most 6 decimals'],
    [
      ['listen', '--forward', 'file:///etc', '--url', 'http://h/api/v1', '--key', 'k'],
      '--forward must be an http',
    ],
    [['up', '--port', '65536'], '65536 is not a port. Use a number from 0 to 65535'],
    [['up', '--port=1.5'], '1.5 is not a port'],
    [['dashboard', '--port', 'http'], 'http is not a port'],
    [['up', '--state='], 'It must not be empty.'],
    [['up', '--public-url', 'http://name.example'], 'It must be an https URL without a path'],
    [['up', '--public-url', 'https://name.example/api/v1'], 'It must be an https URL without a path'],
    [['up', '--settings', '[1]'], 'It must be a JSON object'],
    [['up', '--settings', '{wireNames}'], 'It must be a JSON object'],
    [['reset', '--port', '1'], '--port'],
    [['admin', 'create-management-key', 'extra'], 'too many arguments'],
    [['verify', '--stage', 'prod', '--url', 'https://h/api/v1'], 'Do not use --url or --state with --stage'],
    [['verify', '--stage', 'prod', '--state', 'a', '--key', 'k'], 'Do not use --url or --state with --stage'],
    [
      ['verify', '--stack', 'Media', '--state', 'a', '--key', 'k'],
      'Do not use --url or --state with --stage',
    ],
    [['verify', '--stack', 'Media', '--stage', 'prod', '--key', 'k'], 'Use --stage or --stack, not both'],
    [['changes', '--stage', 'prod'], '--change-set'],
    [['admin', 'restore-rows', 'restored'], "missing required argument 'table'"],
    [['verify', '--stage', 'prod'], 'Set --key or GENWAY_API_KEY to a management key of the stage'],
    [['admin', 'disable-key'], 'missing required argument'],
    [['admin', 'incident', 'pause'], 'missing required argument'],
    [['admin', 'rotate-key', 'a', '--overlap', '721'], 'It must be a number from 0 to 720'],
    [['admin', 'rotate-key', 'a', '--overlap=-1'], 'It must be a number from 0 to 720'],
    [['admin', 'endpoints', '--pause', 'a', '--resume', 'b'], 'cannot be used with'],
    [['admin', 'grant-credits', '0'], 'must be an amount in USD'],
    [['admin', 'try-provider', 'fal'], 'required option'],
    [['admin', 'try-provider', 'fal', '--spend', '0'], 'must be an amount in USD'],
  ])('%j exits with 2, and says what is wrong', async (args, message) => {
    const { code, out, err } = await genway(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('is shown with escaped control characters', async () => {
    for (const args of [[HOSTILE], ['jobs', '--status', 'a', HOSTILE, HOSTILE], ['admin', HOSTILE]]) {
      const { err } = await genway(args);
      for (const line of err.split('\n')) expect(line).not.toMatch(OBEYED);
    }
  });
});

describe('AWS that cannot be asked', () => {
  const failing = (error: Error) =>
    genway(['admin', 'list-keys'], {}, { open: async () => Promise.reject(error) });

  test.each([
    ['no region', new Error('Region is missing'), /^No region is set. Set AWS_REGION/],
    [
      'no credentials',
      Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' }),
      /^No valid AWS credentials were found. Set AWS_PROFILE.*Could not load credentials/,
    ],
  ])('for %s gets a sentence that says what to do', async (_, error, sentence) => {
    const { code, out, err } = await failing(error);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('does not hide the stack trace of an unexpected error', async () => {
    expect((await failing(new Error('boom'))).err).toContain('command-line.test.ts');
  });
});

describe('up', () => {
  const startedWith = async (...args: string[]) => {
    const given: unknown[] = [];
    await genway(['up', ...args], {}, { up: async (options) => void given.push(options) });
    return given;
  };

  test('uses port 8787 and the checkout’s own state by default', async () => {
    const defaults = { port: 8787, stateDir: DEFAULT_STATE_FOLDER, watch: false, json: false, settings: {} };
    expect(await startedWith()).toEqual([defaults]);
  });

  test.each([
    ['0', 0],
    ['65535', 65_535],
  ])('accepts the port %s', async (text, port) => {
    expect(await startedWith('--port', text)).toEqual([expect.objectContaining({ port })]);
  });

  test('accepts a relative folder, and its switches', async () => {
    expect(await startedWith('--state', 'elsewhere', '--watch', '--json')).toEqual([
      { port: 8787, stateDir: resolve('elsewhere'), watch: true, json: true, settings: {} },
    ]);
  });

  test('has providers call at the address of a tunnel, beside other settings', async () => {
    const settings = { wireNames: 'openrouter', providerCallbacks: 'off' };
    const given = ['--settings', JSON.stringify(settings), '--public-url', 'https://name.example'];
    expect(await startedWith(...given)).toEqual([
      expect.objectContaining({ settings: { ...settings, providerCallbacks: 'https://name.example' } }),
    ]);
  });

  test('opens a page only if it is asked to', async () => {
    const opened: string[] = [];
    const openFile = async (path: string) => void opened.push(path);
    const up = async ({ openPage }: UpOptions) => openPage?.('http://127.0.0.1:8787/');
    await genway(['up'], { openFile }, { up });
    expect(opened).toEqual([]);
    await genway(['up', '--open'], { openFile }, { up });
    expect(opened).toEqual(['http://127.0.0.1:8787/']);
  });

  test('accepts settings for this run', async () => {
    const text = '{"wireNames":"openrouter"}';
    expect(await startedWith('--settings', text)).toEqual([
      expect.objectContaining({ settings: { wireNames: 'openrouter' } }),
    ]);
  });

  test('that cannot reach the API says so and exits with 3, the demo too', async () => {
    const demo = async ({ baseUrl, key }: { baseUrl: string; key: string }) => {
      await new DemoApi(baseUrl, key).get('/key', v.unknown());
    };
    const args = ['demo', '--url', 'http://127.0.0.1:1/api/v1', '--key', 'mk-a', '--out', '/tmp'];
    const { code, err } = await genway(args, {}, { demo });
    expect([code, err]).toEqual([3, 'Could not reach http://127.0.0.1:1: check the URL and your network\n']);
  });

  test('that cannot reach AWS says what to check', async () => {
    const open = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND sts'), { code: 'ENOTFOUND', $metadata: {} });
    };
    expect(await genway(['admin', 'list-keys'], {}, { open })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Could not reach AWS\. Check the network.* Error: getaddrinfo ENOTFOUND sts\n$/,
      ),
    });
  });

  test('that fails exits with 1, and shows the tool’s output first', async () => {
    const up = async () => {
      throw new LocalRunError('cdk deploy failed', { output: 'no such region\n' });
    };
    expect(await genway(['up'], {}, { up })).toMatchObject({
      code: 1,
      err: 'no such region\n\ncdk deploy failed\n',
    });
  });
});

describe('admin', () => {
  test('works on the local stage whose folder is named', async () => {
    const done: string[] = [];
    const stages = {
      enter: async (state: string) => void done.push(state),
      open: async (stage: string) => {
        done.push(stage);
        throw new CommandFailed('It stops here');
      },
    };
    for (const command of [['list-keys'], ['incident', 'workers']]) {
      await genway(['admin', ...command, '--state', '/tmp/second'], {}, stages);
      await genway(['admin', ...command, '--stage', 'prod'], {}, stages);
    }
    expect(done).toEqual([
      '/tmp/second',
      'Genway-local',
      'Genway-prod',
      '/tmp/second',
      'Genway-local',
      'Genway-prod',
    ]);
  });

  test.each([
    ['create-management-key'],
    ['list-keys'],
    ['disable-key', 'a'],
    ['rotate-key', 'a', '--overlap', '720'],
    ['grant-credits', '5'],
    ['create-canary-key'],
    ['try-provider', 'fal', '--spend', '1'],
    ['incident', 'workers'],
    ['incident', 'pause', 'poll-videos'],
    ['incident', 'resume', 'poll-videos'],
    ['incident', 'redrive', 'poll-videos'],
    ['incident', 'drain', 'fal'],
    ['incident', 'undrain', 'fal'],
    ['incident', 'explain', 'vid_a'],
    ['incident', 'quarantine', '--release', 'vid_a'],
  ])('acts on the stack of the given stage, dev by default, or on the given one: %s', async (...args) => {
    const stacks: string[] = [];
    const open = async (stack: string) => {
      stacks.push(stack);
      throw new CommandFailed('no such stack');
    };
    expect(await genway(['admin', ...args], {}, { open })).toMatchObject({
      code: 1,
      out: '',
      err: 'no such stack\n',
    });
    await genway(['admin', ...args, '--stage', 'prod'], {}, { open });
    await genway(['admin', ...args, '--stack', 'Media', '--stage', 'prod'], {}, { open });
    expect(stacks).toEqual(['Genway-dev', 'Genway-prod', 'Media']);
  });
});
