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

const templateSchema = v.object({ Resources: v.record(v.string(), v.object({ Type: v.string() })) });

const run = (program: string, ...args: string[]) =>
  runCommand(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: app,
    env: { ...process.env, CDK_OUTDIR: join(app, 'out') },
  });

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
    writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  }, 180_000);

  test('compiles in an app by the declarations that come with it', async () => {
    const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    expect(await run('tsc', ...flags, 'app.ts')).toEqual({ code: 0, output: '' });
  }, 120_000);

  test('synthesizes its README’s app with the functions, the console and the layer that it contains', async () => {
    expect(await run('node', 'app.ts')).toMatchObject({ code: 0 });
    const template = v.parse(
      v.pipe(v.string(), v.parseJson(), templateSchema),
      readFileSync(join(app, 'out/Media.template.json'), 'utf8'),
    );
    const types = Object.values(template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(70);
    expect(types).toEqual(expect.arrayContaining(['Custom::GenwayConsole', 'AWS::Lambda::LayerVersion']));
  }, 120_000);
});
