import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';
import { call, newWorkspace, stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');
/** How many requests to send to each operation, and from which seed, in the long run of `npm run fuzz:api`. */
const { GENWAY_FUZZ_EXAMPLES: examples, GENWAY_FUZZ_SEED: seed = '1' } = process.env;
const MINUTE = 60_000;

interface Run {
  readonly what: string;
  readonly key: () => Promise<object>;
  /** Schemathesis's own options. */
  readonly options: Readonly<Record<string, string>>;
  readonly milliseconds: number;
}

const management = async () => ({ management: true });
const SHORT: readonly Run[] = [
  {
    what: 'operations with an API key',
    key: async () => ({ workspace_id: (await newWorkspace()).id }),
    options: { 'max-examples': '3', phases: 'fuzzing', 'include-tag-regex': '^(Files|Videos)$' },
    milliseconds: 3 * MINUTE,
  },
  {
    what: 'reads with a management key',
    key: management,
    options: { 'max-examples': '1', phases: 'fuzzing', 'include-method': 'GET' },
    milliseconds: 3 * MINUTE,
  },
];
const long = (examples: string): Run => ({
  what: 'all operations',
  key: management,
  options: { 'max-examples': examples, phases: 'examples,coverage,fuzzing' },
  milliseconds: 170 * MINUTE,
});

/** High rate limits, so that a 429 cannot hide other faults. */
const RATES = { upload: 60_000, submit: 60_000, read: 60_000, admin: 60_000 };

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

let cwd: string;
let programs: string;
beforeAll(async () => {
  // Schemathesis writes a cache into its working directory.
  cwd = await mkdtemp(join(tmpdir(), 'genway-fuzz-'));
  // The packages are installed once for a checkout. That takes minutes on a busy machine.
  programs = await pythonPackages();
}, 10 * MINUTE);
afterAll(() => rm(cwd, { recursive: true, force: true }));

// Valid and invalid requests, made from the description; the answers must match it.
const runs = examples === undefined ? SHORT : [long(examples)];
test.each(runs.map((run) => [run.what, run] as const))(
  '%s match the description',
  async (_, run) => {
    const json = { name: 'Fuzzing', rate_limits: RATES, ...(await run.key()) };
    const { key } = (await call('POST', '/keys', { key: stage.managementKey, json })).body;
    const given = {
      url: stage.baseUrl,
      header: `Authorization: Bearer ${key}`,
      checks: CHECKS.join(),
      seed,
      'generation-database': 'none',
      'request-timeout': '60',
      ...run.options,
    };
    const options = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const { code, output } = await runCommand(
      join(programs, 'schemathesis'),
      ['run', `${stage.baseUrl}/openapi.json`, ...options, '--continue-on-failure'],
      { cwd },
    );
    const log = code === 0 ? [] : (await readFile(stage.logFile, 'utf8')).split('\n');
    const errors = log.filter((line) => line.includes('\\"level\\":\\"ERROR\\"'));
    expect({ code, output, errors }).toEqual({ code: 0, output, errors });
  },
  Math.max(...runs.map(({ milliseconds }) => milliseconds)),
);

test('OpenAI’s client makes files and videos, and the package requests sends forms', async () => {
  const python = join(programs, 'python');
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
});
