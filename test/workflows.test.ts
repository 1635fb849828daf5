import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parse } from 'yaml';

const stepSchema = v.looseObject({ uses: v.optional(v.string(), ''), run: v.optional(v.string(), '') });
const workflowSchema = v.object({
  permissions: v.strictObject({}),
  jobs: v.record(
    v.string(),
    v.looseObject({
      permissions: v.record(v.string(), v.string()),
      environment: v.optional(v.string()),
      if: v.optional(v.string(), ''),
      steps: v.array(stepSchema),
    }),
  ),
});

const matrixSchema = v.object({
  matrix: v.object({ include: v.array(v.object({ program: v.string() })) }),
});
const manifestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ scripts: v.record(v.string(), v.string()) }),
);

const FILES = globSync('.github/workflows/*.yml').toSorted();
const read = (file: string) => v.parse(workflowSchema, parse(readFileSync(file, 'utf8')));
const stepsOf = (file: string) => Object.values(read(file).jobs).flatMap(({ steps }) => steps);

describe.each(FILES)('%s', (file) => {
  test('runs pinned actions, each with its version', () => {
    const uses = readFileSync(file, 'utf8').match(/uses: .+/g) ?? [];
    expect(uses).toHaveLength(stepsOf(file).filter(({ uses: action }) => action !== '').length);
    for (const action of uses) expect(action).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('runs no script of a package where a job may act for us elsewhere', () => {
    for (const { permissions, steps } of Object.values(read(file).jobs)) {
      if (Object.values(permissions).every((right) => right === 'read')) continue;
      const installs = steps.filter(({ run }) => /npm (ci|install|rebuild)/.test(run));
      for (const { run } of installs) expect(run).toBe('npm ci --ignore-scripts');
    }
  });

  test('passes outside text only through the environment, never into a script', () => {
    for (const { run } of stepsOf(file)) expect(run).not.toContain('${{');
  });
});

test('every night runs scripts that exist', () => {
  const { scripts } = v.parse(manifestSchema, readFileSync('package.json', 'utf8'));
  const { include } = v.parse(
    matrixSchema,
    read('.github/workflows/nightly.yml').jobs.prove?.strategy,
  ).matrix;
  expect(include.length).toBeGreaterThan(0);
  for (const { program } of include) expect(Object.keys(scripts)).toContain(program);
});

test('every night runs each part of the second engines', () => {
  const { engines } = read('.github/workflows/engines.yml').jobs;
  const part = ['conformance', 'contract'];
  expect(engines?.strategy).toEqual({ 'fail-fast': false, matrix: { part } });
  expect(engines?.steps.at(-1)?.run).toBe('npm run engines -- --selectProjects "$PART"');
});

describe('a deployment', () => {
  const { deploy, diff } = read('.github/workflows/deploy.yml').jobs;
  const steps = deploy?.steps.map(({ run }) => run) ?? [];
  const place = (text: string) => steps.findIndex((run) => run.includes(text));

  test('executes the checked change set: it is prepared, refused if data would be lost, and executed', () => {
    const order = [
      'doctor',
      '--method=prepare-change-set',
      'changes --stage',
      '--method=execute-change-set',
      'verify',
    ];
    const places = order.map(place);
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
    for (const at of places.slice(1, 4)) expect(steps[at]).toContain('"$CHANGE_SET"');
    // No other step deploys.
    expect(steps.filter((run) => run.includes('cdk deploy'))).toHaveLength(2);
  });

  test('is started by a person, for a stage that an environment guards', () => {
    expect(deploy?.environment).toMatch(/^\$\{\{ inputs\.stage \}\}$/);
    expect(deploy?.if).toContain("github.ref == 'refs/heads/main'");
    expect(deploy?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  test('cannot be started by a pull request', () => {
    expect(diff?.if).toContain('head.repo.full_name == github.repository');
    expect(JSON.stringify(diff)).not.toMatch(/DEPLOY_ROLE_ARN|secrets\./);
    expect(diff?.steps.filter(({ run }) => run.includes('cdk deploy'))).toEqual([]);
  });
});

test('a release has the version of its tag, its packages and its bill of materials, both signed before it is public', () => {
  const { release } = read('.github/workflows/release.yml').jobs;
  const steps = release?.steps.map(({ uses, run }) => uses.split('@')[0] || run) ?? [];
  expect(steps.slice(2)).toEqual([
    `test "$TAG" = "v$(node -p 'require("./package.json").version')"`,
    'npm ci --ignore-scripts',
    'npm run --silent sbom > genway.cdx.json',
    'npm run --silent pack:cli',
    'npm run --silent pack:cdk',
    'actions/attest-build-provenance',
    'actions/attest-sbom',
    'gh release create "$TAG" --verify-tag --title "$TAG" dist/*.tgz genway.cdx.json',
  ]);
});
