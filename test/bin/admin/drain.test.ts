import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allOffers } from '../../../functions/videos/catalogue/catalogue.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';
import { genway } from '../cli/genway.ts';
import { aDeployment } from './a-deployment.ts';

const world = new AwsWorld();
const table = await createTable(world.startProcess().dynamo, 'id');
const open = async () => aDeployment(() => table, { world });
const admin = (...args: string[]) => genway(['admin', ...args, '--stage', 'prod'], {}, { open });

const ofFal = allOffers()
  .filter(({ provider }) => provider === 'fal')
  .map(({ id }) => id);
const paused = async (): Promise<string[]> =>
  (await admin('endpoints')).out
    .split('\n')
    .filter((line) => / paused /.test(line))
    .map((line) => line.split(' ')[0] ?? '');

test('draining a provider pauses all its endpoints, and undraining resumes them', async () => {
  expect(ofFal.length).toBeGreaterThan(1);
  await admin('endpoints', '--pause', ofFal[0] ?? '');
  const drained = await admin('incident', 'drain', 'fal');
  // An endpoint that is paused already is not paused again.
  expect(drained).toMatchObject({
    code: 0,
    out: ofFal
      .slice(1)
      .map((id) => `${id}: paused\n`)
      .join(''),
  });
  expect((await paused()).toSorted()).toEqual(ofFal.toSorted());
  const undrained = await admin('incident', 'undrain', 'fal');
  expect(undrained).toMatchObject({ code: 0, out: ofFal.map((id) => `${id}: resumed\n`).join('') });
  expect(await paused()).toEqual([]);
});

test('a provider without endpoints is an error that names those with some', async () => {
  const { code, err } = await admin('incident', 'drain', 'nobody');
  expect([code, err]).toEqual([1, expect.stringMatching(/^No endpoints of nobody were found.*\bfal\b/)]);
});

test('a removed endpoint is listed as such until it is restored, and an unknown one is not restored', async () => {
  const [id = ''] = ofFal;
  const stateOf = async () =>
    (await admin('endpoints')).out.split('\n').flatMap((line) => {
      const [name, , state] = line.split(/ {2,}/);
      return name === id ? [state] : [];
    });
  await admin('endpoints', '--remove', id);
  expect(await stateOf()).toEqual(['removed']);
  expect(await admin('endpoints', '--restore', id)).toMatchObject({ code: 0, out: `${id}: restored\n` });
  expect(await stateOf()).toEqual(['default']);
  expect(await admin('endpoints', '--restore', 'fal/none')).toMatchObject({
    code: 1,
    out: '',
    err: 'No endpoint fal/none was found; to list the endpoints, run npx genway admin endpoints for the same stage\n',
  });
});

test('a paused endpoint stays paused if it is replaced', async () => {
  const [offer] = allOffers().filter(({ provider }) => provider === 'fal');
  const id = offer?.id ?? '';
  await admin('endpoints', '--pause', id);
  const folder = mkdtempSync(join(tmpdir(), 'row-'));
  const file = join(folder, 'row.json');
  writeFileSync(file, JSON.stringify(offer));
  const output = (name: string) => (name === 'VideoProviders' ? '{"fal":{}}' : table);
  const put = await genway(
    ['admin', 'endpoints', '--put', file],
    {},
    { open: async () => aDeployment(output, { world }) },
  );
  rmSync(folder, { recursive: true });
  expect(put).toMatchObject({ code: 0, out: `${id}: stored\n` });
  expect(await paused()).toEqual([id]);
  await admin('endpoints', '--restore', id);
});

test.each([
  ['{', /^\S+row\.json must contain JSON: Expected property name [^\n]*\n$/],
  [
    JSON.stringify({ ...allOffers()[0], id: 'xai/a', provider: 'xai' }),
    /^provider: xai is not configured on this stage[^\n]*\n$/,
  ],
])('a wrong row is refused in one line: %#', async (text, told) => {
  const folder = mkdtempSync(join(tmpdir(), 'row-'));
  const file = join(folder, 'row.json');
  writeFileSync(file, text);
  const output = (name: string) => (name === 'VideoProviders' ? '{"fal":{}}' : table);
  const refused = await genway(
    ['admin', 'endpoints', '--put', file],
    {},
    { open: async () => aDeployment(output, { world }) },
  );
  rmSync(folder, { recursive: true });
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(told) });
});

test('the stack of an app is reached without a stage of this checkout, and that of a file with its own rows', async () => {
  const asked: string[] = [];
  const openNamed = (stack: string) => {
    asked.push(stack);
    return open();
  };
  const of = (...args: string[]) => genway(['admin', 'endpoints', ...args], {}, { open: openNamed });
  const all = await of('--stack', 'Media', '--stage', 'nowhere');
  expect([all.code, all.out]).toEqual([0, expect.stringContaining(ofFal[0] ?? '')]);
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  const config = join(folder, 'acme.jsonc');
  const [row] = allOffers().filter(({ provider }) => provider === 'fal');
  const videos = { providers: { fal: {} }, models: [{ ...row, id: 'fal/ours' }] };
  writeFileSync(config, `// Ours\n${JSON.stringify({ own: { namePrefix: 'Acme' }, videos })}`);
  expect((await of('--config', config)).out).toContain('fal/ours ');
  await of('--config', config, '--pause', 'fal/ours');
  expect((await of('--stack', 'Media', '--restore', 'fal/ours')).out).toBe('fal/ours: restored\n');
  rmSync(folder, { recursive: true });
  expect(asked).toEqual(['Media', 'Acme-acme', 'Acme-acme', 'Media']);
});

test('an endpoint is listed with the price of each sound that it can have', async () => {
  const lines = (await admin('endpoints')).out.split('\n');
  const priceOf = (id: string) => lines.find((line) => line.startsWith(`${id} `))?.split(/ {2,}/)[3];
  expect(['fal/kling-4.0-flash', 'luma/ray-2', 'sandbox/clip-1'].map(priceOf)).toEqual([
    expect.stringMatching(/^\S+ with sound$/),
    expect.stringMatching(/^\S+ silent$/),
    expect.stringMatching(/^\S+ silent, \S+ with sound$/),
  ]);
});
