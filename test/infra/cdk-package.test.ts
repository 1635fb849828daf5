import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ROOT } from '../../lib/bundling/folders.ts';
import { runCommand } from '../../local/system/run-command.ts';

const app = mkdtempSync(join(tmpdir(), 'genway-app-'));
const modules = join(app, 'node_modules');
afterAll(() => rmSync(app, { recursive: true }));

const templateSchema = v.object({
  Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown()) })),
});

const run = (program: string, ...args: string[]) =>
  runCommand(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: app,
    env: { ...process.env, CDK_OUTDIR: join(app, 'out'), EDGE_SECRET: 'a secret of theirs' },
  });

/** Runs an app, and reads what it would deploy. */
async function resourcesOf(file: string) {
  expect(await run('node', file)).toMatchObject({ code: 0 });
  const template = readFileSync(join(app, 'out/Media.template.json'), 'utf8');
  return Object.values(v.parse(v.pipe(v.string(), v.parseJson(), templateSchema), template).Resources);
}

describe('the package, installed where there is no checkout', () => {
  beforeAll(async () => {
    const packed = await runCommand('npm', ['run', '-s', 'pack:cdk'], { cwd: ROOT });
    const archive = join(ROOT, 'dist', packed.output.trim().split('\n').at(-1) ?? '');
    const own = join(modules, '@genway/cdk');
    mkdirSync(own, { recursive: true });
    expect(await runCommand('tar', ['xzf', archive, '-C', own, '--strip-components=1'])).toMatchObject({
      code: 0,
    });
    for (const peer of ['aws-cdk-lib', 'constructs', '@types'])
      symlinkSync(join(ROOT, 'node_modules', peer), join(modules, peer));
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(own, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(app, 'app.ts'), example);
    const page = readFileSync(join(ROOT, 'docs/bring-your-own.md'), 'utf8');
    const [names = '', edge = ''] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
    writeFileSync(join(app, 'names.ts'), names);
    writeFileSync(join(app, 'edge.ts'), edge);
    writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  }, 180_000);

  test.each(['app.ts', 'names.ts', 'edge.ts'])(
    'compiles %s by the declarations that come with it',
    async (file) => {
      const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
      expect(await run('tsc', ...flags, file)).toEqual({ code: 0, output: '' });
    },
    120_000,
  );

  test('synthesizes its README’s app with the functions, the console and the layer that it contains', async () => {
    const types = (await resourcesOf('app.ts')).map(({ Type }) => Type);
    expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(70);
    expect(types).toEqual(expect.arrayContaining(['Custom::GenwayConsole', 'AWS::Lambda::LayerVersion']));
  }, 120_000);

  test('lets a distribution of the deployer’s lead to a stage without an edge', async () => {
    const resources = await resourcesOf('edge.ts');
    const distributions = resources.filter(({ Type }) => Type === 'AWS::CloudFront::Distribution');
    expect(distributions).toHaveLength(1);
    expect(JSON.stringify(distributions)).toMatch(/x-genway-edge.*a secret of theirs/);
    const digest = createHash('sha256').update('a secret of theirs').digest('hex');
    const programs = resources.filter((each) =>
      JSON.stringify(each).includes(`"EDGE_SECRET_SHA256":"${digest}"`),
    );
    expect(programs.length).toBeGreaterThan(50);
  }, 120_000);
});
