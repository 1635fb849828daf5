import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { allOffers } from '../../functions/videos/catalogue/catalogue.ts';
import { ROOT } from '../../lib/bundling/folders.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CDK, DrilledStage } from '../drills/drilled-stage.ts';

const app = mkdtempSync(join(tmpdir(), 'genway-app-'));
const modules = join(app, 'node_modules');
/** The command of the package. */
const GENWAY = join(modules, '@genway/cdk/lib/construct/genway.js');
let drilled: DrilledStage;
afterAll(async () => {
  await drilled[Symbol.asyncDispose]();
  rmSync(app, { recursive: true });
});

const templateSchema = v.object({
  Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown()) })),
});

const outputsSchema = v.pipe(v.string(), v.parseJson(), v.object({ Media: v.object({ ApiId: v.string() }) }));
const answerSchema = v.object({
  key: v.optional(v.string()),
  id: v.optional(v.string()),
  status: v.optional(v.string()),
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
    const archive = packed.output.trim().split('\n').at(-1) ?? '';
    const own = join(modules, '@genway/cdk');
    mkdirSync(own, { recursive: true });
    expect(await runCommand('tar', ['xzf', archive, '-C', own, '--strip-components=1'])).toMatchObject({
      code: 0,
    });
    for (const peer of ['aws-cdk-lib', 'constructs', 'aws-cdk', '@types'])
      symlinkSync(join(ROOT, 'node_modules', peer), join(modules, peer));
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    const [example = '', local = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
    writeFileSync(join(app, 'app.ts'), example);
    writeFileSync(join(app, 'local.ts'), local);
    const page = readFileSync(join(ROOT, 'docs/bring-your-own.md'), 'utf8');
    const [names = '', edge = ''] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
    writeFileSync(join(app, 'names.ts'), names);
    writeFileSync(join(app, 'edge.ts'), edge);
    writeFileSync(join(app, 'package.json'), '{"type":"module"}');
    drilled = await DrilledStage.start();
    await drilled.bootstrap();
  });

  test('compiles the apps of its README and of docs/bring-your-own.md by the declarations that come with it', async () => {
    const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const apps = ['app.ts', 'local.ts', 'names.ts', 'edge.ts'];
    expect(await run('tsc', ...flags, ...apps)).toEqual({ code: 0, output: '' });
  });

  test('synthesizes its README’s app with the functions, the console and the layer that it contains', async () => {
    const types = (await resourcesOf('app.ts')).map(({ Type }) => Type);
    expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(70);
    expect(types).toEqual(expect.arrayContaining(['Custom::GenwayConsole', 'AWS::Lambda::LayerVersion']));
  });

  test('tells wrong settings by path, value and what would be right, with the line of the deployer', async () => {
    const wrong = readFileSync(join(app, 'app.ts'), 'utf8').replace("data: 'destroy'", 'resultDays: 2');
    writeFileSync(join(app, 'wrong.ts'), wrong);
    const { code, output } = await run('node', 'wrong.ts');
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^file:.*wrong\.ts:\d+\nnew Genway\(stack, 'Gateway', {\n\^\n\nWrongSettings: Stage "media" has invalid settings/,
      ),
    ]);
    expect(output).toContain('\n  resultDays is 2: must be one of 1, 3, 7, 14, 30, 60, 90 (days)\n');
    expect(output).not.toContain('@genway/cdk');
  });

  test('says which Node.js its command needs, instead of failing in the middle of loading', async () => {
    const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.11.0'}})";
    expect(await run('node', '--import', `data:text/javascript,${older}`, GENWAY, '--version')).toEqual({
      code: 1,
      output: 'genway needs Node.js 22.12 or later, but this is 22.11.0',
    });
    expect(await run('node', GENWAY, '--version')).toMatchObject({ code: 0 });
  });

  test('refuses models in the settings, which its functions would not know', async () => {
    const [model] = allOffers().filter(({ provider }) => provider === 'sandbox');
    const models = `models: [${JSON.stringify({ ...model, id: 'sandbox/ours' })}], providers:`;
    const example = readFileSync(join(app, 'app.ts'), 'utf8');
    writeFileSync(join(app, 'models.ts'), example.replace('providers:', models));
    const { code, output } = await run('node', 'models.ts');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('videos.models: cannot be set, because the functions of this package'),
    ]);
  });

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
  });

  test('is deployed to an emulator, where a video is made', async () => {
    const deployed = ['deploy', '--app', `${process.execPath} local.ts`, '--require-approval', 'never'];
    await drilled.run(CDK, [...deployed, '--outputs-file', 'outputs.json', '--ci', '--no-notices'], app);
    const { Media } = v.parse(outputsSchema, readFileSync(join(app, 'outputs.json'), 'utf8'));
    const create = ['admin', 'create-management-key', '--stack', 'Media'];
    const managementKey = (await drilled.run(GENWAY, create, app)).trim();
    const send = async (method: string, path: string, key: string, json?: object) => {
      const answer = await fetch(`${drilled.aws.endpoint}/_aws/execute-api/${Media.ApiId}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      expect(answer.ok).toBe(true);
      return v.parse(answerSchema, await answer.json());
    };
    const { key = '' } = await send('POST', '/keys', managementKey, { name: 'Ada' });
    const { id } = await send('POST', '/videos', key, {
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      duration: 1,
    });
    while ((await send('GET', `/videos/${id}`, key)).status !== 'completed') await wait(200);
  }, 600_000);

  test('deploys the stage of a file, for those who write no app', async () => {
    const [, settings = '{}'] =
      /settings: ({.*?\n {2}}),/s.exec(readFileSync(join(app, 'local.ts'), 'utf8')) ?? [];
    // What is an object in the app is one in a file with comments, once its names are quoted.
    const quoted = settings.replaceAll(/(\w+): /g, '"$1": ').replaceAll("'", '"');
    writeFileSync(join(app, 'mine.jsonc'), `// Mine\n${quoted}`);
    // Not verified, because downloads are at the origin of the emulator's API; test/infra/genway-deploy.test.ts has another name for it.
    const said = await drilled.run(GENWAY, ['deploy', '--config', 'mine.jsonc', '--yes', '--no-verify'], app);
    expect(said).toMatch(/^This is the first deployment$/m);
    expect(said).toMatch(new RegExp(`^API +${drilled.aws.endpoint}/_aws/execute-api/`, 'm'));
  }, 600_000);
});
