import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';
import { accessTo } from '../../../local/emulator/aws-access.ts';
import { DeployedFunctions } from '../../../local/watch/redeploy.ts';
import { type LocalServer, serve } from '../../local-server.ts';

const called = (FunctionName: string, name: string) => ({
  FunctionName,
  Environment: { Variables: { POWERTOOLS_SERVICE_NAME: name } },
});
const codeSchema = v.pipe(v.string(), v.parseJson(), v.object({ ZipFile: v.string() }));

let folder: string;
let lambda: LocalServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-bundle-'));
  lambda = await serve(({ method, url = '' }) => {
    if (method === 'PUT') return { status: 200, body: {} };
    return url.includes('Marker=')
      ? { status: 200, body: { Functions: [called('Genway-local-GetFile1A', 'get-file')] } }
      : { status: 200, body: { Functions: [called('Genway-local-GetKey2B', 'get-key')], NextMarker: 'm' } };
  });
});
afterEach(async () => {
  await lambda.close();
  await rm(folder, { recursive: true });
});

const update = (name: string) =>
  new DeployedFunctions(accessTo(lambda.url)).update(name, join(folder, 'index.mjs'));
const updates = () => lambda.received.filter(({ method }) => method === 'PUT');

test('a function gets its program with all that the program imports later', async () => {
  const files = { 'index.mjs': "await import('./later-1.mjs');", 'later-1.mjs': 'export default 1;' };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  expect(await update('get-file')).toBe(true);
  const [sent] = updates();
  expect(sent?.url).toBe('/2015-03-31/functions/Genway-local-GetFile1A/code');
  const zip = unzipSync(Buffer.from(v.parse(codeSchema, sent?.body).ZipFile, 'base64'));
  expect(Object.fromEntries(Object.entries(zip).map(([file, bytes]) => [file, strFromU8(bytes)]))).toEqual(
    files,
  );
});

test('what the stage has no function for is left alone', async () => {
  expect(await update('put-file')).toBe(false);
  expect(updates()).toEqual([]);
});
