import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { forgottenPlaces } from '../../forgotten-places.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const COPIED = ['bench', 'bin', 'console', 'docs', 'functions', 'lib', 'local', 'test'];
const CONFIGURATION = ['biome.json', 'cdk.json', '.gitignore', 'package.json', 'tsconfig.json'];

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'genway-new-'));
  for (const path of [...COPIED, ...CONFIGURATION]) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function run(file: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const running = promisify(execFile)(process.execPath, [file, ...args], { cwd: copy });
  return running.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}
const generate = (...args: string[]) => run(join(copy, 'bin/new.ts'), ...args);
const MODULES = join(ROOT, 'node_modules');
const checkout = {
  read: (path: string) => readFileSync(join(copy, path), 'utf8'),
  list: (glob: string) => globSync(glob, { cwd: copy }),
};

/** The compiler reads the whole checkout, which takes a minute on a busy machine. */
const DEADLINE_MS = 600_000;

describe('what the generators write', () => {
  test(
    'passes types, lint and the test of forgotten places',
    async () => {
      const summary = ['endpoint', 'videos', 'GET', '/videos/{video}/summary', 'get-video-summary'];
      expect(await generate(...summary)).toMatchObject({ code: 0 });
      const turn = [
        'endpoint',
        'keys',
        'POST',
        '/keys/{hash}/turns/{turn}',
        'turn-key',
        '--access',
        'management',
      ];
      expect(await generate(...turn)).toMatchObject({ code: 0 });
      expect(await generate('endpoint', 'credits', 'GET', '/credits/rates', 'list-rates')).toMatchObject({
        code: 0,
      });
      expect(await generate('endpoint', 'files', 'PATCH', '/files/{file}', 'rename-file')).toMatchObject({
        code: 0,
      });
      expect(await generate('provider', 'acme-video')).toMatchObject({ code: 0 });
      expect(await run(join(MODULES, 'typescript/bin/tsc'), '--noEmit')).toEqual({ code: 0, output: '' });
      const biome = await run(
        join(MODULES, '@biomejs/biome/bin/biome'),
        'check',
        '--error-on-warnings',
        ...COPIED,
      );
      expect(biome).toMatchObject({ code: 0 });
      expect(forgottenPlaces(checkout)).toEqual([
        "provider acme-video has the sample's address in functions/videos/providers/acme-video.ts; put the vendor's own there",
      ]);
      const handler = await readFile(join(copy, 'functions/endpoints/videos/get-video-summary.ts'), 'utf8');
      expect(handler).toContain("throw new Error('get-video-summary is not written yet')");
      const adapter = await readFile(join(copy, 'functions/videos/providers/acme-video.ts'), 'utf8');
      expect(adapter).toContain("name: 'acme-video'");
      expect(adapter).toContain('https://api.acme-video.example/v1');
    },
    DEADLINE_MS,
  );

  test.each<[string[], string]>([
    [
      ['endpoint', 'planets', 'GET', '/planets', 'list-planets'],
      'area: “planets” is not one of broadcast, budgets, credits,',
    ],
    [['endpoint', 'videos', 'FETCH', '/videos', 'get-it'], 'method: “FETCH” is not one of GET, POST,'],
    [['endpoint', 'videos', 'GET', 'videos', 'get-it'], 'path: “videos” is not a path below /api/v1'],
    [['endpoint', 'videos', 'GET', '/videos/{it}', 'GetIt'], 'name: “GetIt” is not a name'],
    [['endpoint', 'videos', 'GET', '/videos/{it}', 'get-video'], 'name: the route get-video exists already'],
    [['provider', 'fal'], 'functions/videos/providers/fal.ts exists already'],
    [['provider'], 'arguments are missing:'],
  ])('is nothing for the wrong arguments %j', async (args, message) => {
    const before = readFileSync(join(copy, 'functions/http/routes.ts'), 'utf8');
    const { code, output } = await generate(...args);
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
    expect(readFileSync(join(copy, 'functions/http/routes.ts'), 'utf8')).toBe(before);
  });
});
