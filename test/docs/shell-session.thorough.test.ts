import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { serve } from '../local-server.ts';
import { ShellSession } from './shell-session.ts';

let parent: string;
let session: ShellSession;
const open = (name: string, from?: ShellSession) =>
  ShellSession.open(join(parent, name), {
    entries: [['self.ts', import.meta.filename]],
    environment: { A: 'a' },
    from,
  });

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'genway-session-'));
  session = await open('first');
});
afterEach(async () => {
  session.close();
  await rm(parent, { recursive: true, force: true });
});

test('variables of a block exist in the next one, and in a session that begins with it', async () => {
  expect(await session.run('B=b; greet() { echo "$A$B $1"; }; mkdir sub; cd sub')).toMatchObject({
    code: 0,
    output: '',
  });
  expect(await session.run('greet "$(basename "$PWD")"')).toMatchObject({ code: 0, output: 'ab sub\n' });
  const second = await open('second', session);
  expect(await second.run('greet again')).toMatchObject({ output: 'ab again\n' });
});

test.each([['false; echo on'], ['false | cat; echo on'], ['echo "$UNSET"; echo on']])(
  '%s fails',
  async (text) => {
    const { code, output } = await session.run(text);
    expect(code).not.toBe(0);
    expect(output).not.toContain('on\n');
  },
);

test('a block ends although its background process runs on, and the next block can wait for its output', async () => {
  expect(await session.run('while [ ! -f go ]; do sleep 0.1; done && echo gone &')).toMatchObject({
    code: 0,
  });
  expect(await session.runUntil('touch go', 'gone')).toMatchObject({ output: 'gone\n' });
});

test('it stops waiting for a block that has failed', async () => {
  expect(await session.runUntil('echo sorry; exit 3', 'hello')).toMatchObject({ code: 3, output: 'sorry\n' });
});

test('every response to curl is recorded, and is not part of the output', async () => {
  const api = await serve(({ url }) => ({ status: url === '/good' ? 200 : 404, body: { url } }));
  const ran = await session.run(`curl -sS ${api.url}/good; URL=$(curl -sS ${api.url}/bad); echo "$URL"`);
  await api.close();
  expect(ran.statuses).toEqual(['200', '404']);
  expect(ran.output.replaceAll('\n', '')).toBe('{"url":"/good"}{"url":"/bad"}');
});

test('its home folder has no credentials', async () => {
  const { output } = await session.run('echo "$HOME"; env | grep -c ^AWS_ || true');
  expect(output).toBe(`${session.folder}\n1\n`);
});

test('it uses the user’s Node.js, not the one that npm brings', async () => {
  const { output } = await session.run('command -v node; ls self.ts');
  expect(output).not.toContain('node_modules');
  expect(output).toContain('self.ts');
});
