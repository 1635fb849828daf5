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

describe('a deployment for another repository', () => {
  const { deploy } = read('.github/workflows/deploy-file.yml').jobs;
  const steps = deploy?.steps ?? [];

  test('checks out the settings of its caller beside Genway, and keeps no credential of git', () => {
    const checkouts = steps
      .filter(({ uses }) => uses.startsWith('actions/checkout@'))
      .map((step) => step.with);
    expect(checkouts).toEqual([
      { path: 'settings', 'persist-credentials': false },
      {
        repository: `\${{ inputs.genway }}`,
        ref: `\${{ inputs.version }}`,
        path: 'genway',
        'persist-credentials': false,
      },
    ]);
  });

  test('has the rights to assume a role alone, in an environment that guards the stage', () => {
    expect(deploy?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(deploy?.environment).toBe(`\${{ inputs.environment }}`);
  });

  test('ends with the one command, which asks nobody and refuses to lose data', () => {
    expect(steps.at(-1)?.run).toBe(
      `npm run --silent genway -- "$COMMAND" --config "$GITHUB_WORKSPACE/settings/$CONFIG" --yes \${ALLOW:+--allow $ALLOW}`,
    );
  });

  test('is called in docs/deploy.md with inputs that it has, and all that it requires', () => {
    const page = readFileSync('docs/deploy.md', 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const { with: given } = v.parse(callerSchema, parse(example)).jobs.deploy;
    const { inputs } = v.parse(calledSchema, parse(readFileSync('.github/workflows/deploy-file.yml', 'utf8')))
      .on.workflow_call;
    const required = Object.entries(inputs).flatMap(([name, { required }]) => (required ? [name] : []));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
    expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
  });
});

const callerSchema = v.object({
  jobs: v.object({
    deploy: v.object({
      permissions: v.strictObject({ contents: v.literal('read'), 'id-token': v.literal('write') }),
      uses: v.pipe(v.string(), v.endsWith('/.github/workflows/deploy-file.yml@v0.2.0')),
      with: v.record(v.string(), v.unknown()),
    }),
  }),
});
const calledSchema = v.object({
  on: v.object({
    workflow_call: v.object({ inputs: v.record(v.string(), v.object({ required: v.boolean() })) }),
  }),
});

test('a release tags the version in package.json, with its notes, packages and bill of materials, signed before it is public', () => {
  const { release } = read('.github/workflows/release.yml').jobs;
  expect(release?.if).toBe("github.ref == 'refs/heads/main'");
  const steps = release?.steps.map(({ uses, run }) => uses.split('@')[0] || run) ?? [];
  expect(steps.slice(2, -1)).toEqual([
    'npm ci --ignore-scripts',
    'npm run --silent release:notes > notes.md',
    'npm run --silent sbom > genway.cdx.json',
    'npm run --silent pack:cli',
    'npm run --silent pack:cdk',
    'actions/attest-build-provenance',
    'actions/attest-sbom',
  ]);
  expect(steps.at(-1)?.trim().split('\n')).toEqual([
    `TAG="v$(node -p 'require("./package.json").version')"`,
    'if gh api --silent "repos/$GH_REPO/git/ref/tags/$TAG"; then echo "$TAG exists"; exit 1; fi',
    'gh release create "$TAG" --target "$GITHUB_SHA" --title "$TAG" --notes-file notes.md dist/*.tgz genway.cdx.json',
  ]);
});
