import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';
import { type Fuzzing, runSchemathesis } from '../python/run-schemathesis.ts';
import { call, newWorkspace, stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');

/** High rate limits, so that a 429 cannot hide other faults. */
const RATES = { upload: 60_000, submit: 60_000, read: 60_000, admin: 60_000 };

// Schemathesis writes a cache into its working directory.
let cwd: string;
let python: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'genway-fuzz-'));
  // The packages are installed once for a checkout. That takes minutes on a busy machine.
  python = join(await pythonPackages(), 'python');
}, 600_000);
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** Sends a few requests to each operation. `npm run fuzz:api` sends thousands, to a stage of its own. */
async function fuzzWith(keyFields: object, examples: string, only: NonNullable<Fuzzing['only']>) {
  const json = { name: 'Fuzzing', rate_limits: RATES, ...keyFields };
  const { key } = (await call('POST', '/keys', { key: stage.managementKey, json })).body;
  const { baseUrl } = stage;
  return runSchemathesis({ baseUrl, key, seed: '1', examples, phases: ['fuzzing'], only }, { cwd });
}

test('operations with an API key match the description', async () => {
  const { id } = await newWorkspace();
  const { code, output } = await fuzzWith({ workspace_id: id }, '3', {
    'include-tag-regex': '^(Files|Videos)$',
  });
  expect({ code, output }).toEqual({ code: 0, output });
}, 180_000);

test('reads with a management key match the description', async () => {
  const { code, output } = await fuzzWith({ management: true }, '1', { 'include-method': 'GET' });
  expect({ code, output }).toEqual({ code: 0, output });
}, 180_000);

test('OpenAI’s client makes files and videos, and the package requests sends forms', async () => {
  const { key } = await newWorkspace();
  const IMAGE = join(ROOT, 'docs/images/reference-390-light.png');
  const env = { ...process.env, GENWAY_URL: stage.baseUrl, GENWAY_API_KEY: key, IMAGE };
  const { code, output } = await runCommand(python, [join(ROOT, 'test/python/clients.py')], { env });
  expect({ code, output }).toEqual({ code: 0, output });
  expect(JSON.parse(output)).toEqual({
    files: { listed: true, lives: 3600, content: '{"a":1}\n{"b":2}\n', deleted: true },
    videos: {
      created: ['video', 'queued', '1', '640x360'],
      ended: ['completed', 100],
      listed: true,
      content: 'ftyp',
      deleted: true,
    },
    refusal: ['invalid_request_error', 'seconds'],
    form: ['image/png', 'naïve.txt', true],
  });
}, 180_000);
