import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openApiJson } from '../../functions/openapi/text.ts';
import { type CommandOptions, runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';

const HERE = import.meta.dirname;
const DESCRIPTION = join(HERE, '../../docs/openapi.yaml');
const MINUTES = 60_000;

const programs = await pythonPackages('generators.txt');
const made = await mkdtemp(join(tmpdir(), 'genway-generators-'));
afterAll(() => rm(made, { recursive: true, force: true }));

const env = {
  ...process.env,
  PATH: [programs, join(HERE, 'node_modules/.bin'), process.env.PATH].join(delimiter),
};

async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, output } = await runCommand(command, args, { env, ...options });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return output;
}

test('Spectral finds nothing', async () => {
  const ruleset = join(HERE, 'spectral.yaml');
  await run('spectral', ['lint', DESCRIPTION, '--ruleset', ruleset, '--fail-severity', 'warn']);
});

test('PyYAML, which reads YAML 1.1, reads what the stage serves as JSON', async () => {
  const program = [
    'import json, sys, yaml',
    'described = json.dumps(yaml.safe_load(open(sys.argv[1], encoding="utf-8")), sort_keys=True)',
    'sys.exit(described != json.dumps(json.load(open(sys.argv[2], encoding="utf-8")), sort_keys=True))',
  ].join('\n');
  const served = join(made, 'openapi.json');
  await writeFile(served, openApiJson());
  await run('python', ['-c', program, DESCRIPTION, served]);
});

/** What openapi-generator says of itself, and of parameters whose names it compares with those of types that it never makes. */
const SAID_OF_ITSELF = [
  /OpenAPI 3\.1 support is still in beta/,
  /\b(?:File|Index|Date) \(.*cannot be used as (?:a )?model name/,
  /Ignoring complex example on request body/,
  // Of a union of plain types, such as text or a number.
  /Failed to get the schema name: null/,
];

const IMPORT_ALL = [
  'import importlib, pkgutil, openapi_client',
  'for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):',
  '    importlib.import_module(module.name)',
].join('\n');

/** How the clients in a folder are compiled. */
const COMPILERS: Readonly<Record<string, (cwd: string) => Promise<unknown>>> = {
  python: (cwd) => run('python', ['-c', IMPORT_ALL], { cwd }),
  'typescript-fetch': (cwd) =>
    run('tsc', ['--noEmit', '--strict', '--target', 'es2022', '--moduleResolution', 'bundler', 'index.ts'], {
      cwd,
    }),
  go: async (cwd) => {
    await run('go', ['mod', 'tidy'], { cwd });
    await run('go', ['vet', '.'], { cwd });
  },
  java: (cwd) => run('mvn', ['--quiet', 'compile'], { cwd }),
  // Compiled by nobody here, because it takes .NET.
  csharp: () => Promise.resolve(),
};

test.each(Object.entries(COMPILERS))(
  'openapi-generator makes a client for %s, without a warning, that compiles',
  async (language, compile) => {
    const folder = join(made, language);
    const output = await run('openapi-generator-cli', [
      'generate',
      ...['--input-spec', DESCRIPTION, '--generator-name', language, '--output', folder],
    ]);
    const warnings = output.split('\n').filter((line) => /\b(?:WARN|ERROR)\b/.test(line));
    expect(warnings.filter((line) => SAID_OF_ITSELF.every((known) => !known.test(line)))).toEqual([]);
    await compile(folder);
  },
  20 * MINUTES,
);

test(
  'openapi-python-client makes a client of everything but the description as YAML, and its types hold',
  async () => {
    const folder = join(made, 'openapi-python-client');
    const output = await run('openapi-python-client', [
      'generate',
      ...['--path', DESCRIPTION, '--output-path', folder],
    ]);
    // It knows no media type for YAML.
    expect(output.match(/^WARNING .*/gm)).toEqual(['WARNING parsing GET /openapi.yaml within description.']);
    await run('mypy', ['--strict', '--no-warn-redundant-casts', '.'], { cwd: folder });
  },
  20 * MINUTES,
);

test(
  'openapi-typescript makes types that compile',
  async () => {
    const types = join(made, 'genway.d.ts');
    const output = await run('openapi-typescript', [DESCRIPTION, '--output', types]);
    expect(output).not.toMatch(/warn/i);
    await run('tsc', ['--noEmit', '--strict', types], { cwd: made });
  },
  5 * MINUTES,
);
