import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import { type Program, programsOf } from './roles.ts';
import { synthesize } from './template.ts';

const programs = programsOf(await synthesize('prod')).filter(({ name }) => name !== 'upload-server');

/** Stand for values that a deployment fills in. The usual one is valid as a name and as a digest. */
const AT_DEPLOY = 'a'.repeat(64);
const KEYS_AT_DEPLOY = '{"keys":[]}';

/** A program's variables. Values that are only known at the deployment are replaced. */
const environmentOf = ({ variables }: Program) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      return [name, name === 'WEBHOOK_KEYS' ? KEYS_AT_DEPLOY : AT_DEPLOY];
    }),
  );

function loadAll(environments: Record<string, Record<string, string>>): Record<string, string> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'import-bundles.ts')],
    { input: JSON.stringify(environments), env: { AWS_REGION: 'eu-central-1' }, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1));
}

test('every function gets all variables that it reads while loading', () => {
  const environments = programs.map((program) => [program.name, environmentOf(program)]);
  expect(environments.length).toBeGreaterThan(Object.keys(routes).length);
  expect(loadAll(Object.fromEntries(environments))).toEqual({});
});

test('a function without its table’s variable does not load', () => {
  const { JOBS_TABLE: _, ...others } = environmentOf(programs.find(({ name }) => name === 'get-video')!);
  expect(loadAll({ 'get-video': others })).toEqual({ 'get-video': expect.stringContaining('JOBS_TABLE') });
});
