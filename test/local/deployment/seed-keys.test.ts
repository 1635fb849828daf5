import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hashKey } from '../../../functions/keys/key-format.ts';
import { seedKeys } from '../../../local/deployment/seed-keys.ts';
import { LocalRunError } from '../../../local/system/failure.ts';
import { type StateFolder, stateFolder } from '../../../local/system/state-folder.ts';

let state: StateFolder;
let api: Server;
let baseUrl: string;
let known: string[];
let status: number;

/** Answers `/keys` like the API: 401 for an unknown key, otherwise the list or a new key. */
beforeEach(async () => {
  state = stateFolder(await mkdtemp(join(tmpdir(), 'genway-seed-')));
  known = [];
  status = 200;
  api = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (status !== 200) return void response.writeHead(status).end('broken');
    if (!known.includes(key)) return void response.writeHead(401).end('{}');
    if (request.method === 'GET') {
      return void response.end(JSON.stringify({ data: known.map((one) => ({ hash: hashKey(one) })) }));
    }
    const made = `api-key-${known.length}`;
    known.push(made);
    response.writeHead(201).end(JSON.stringify({ data: {}, key: made }));
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const address = api.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  baseUrl = `http://127.0.0.1:${address.port}`;
});

afterEach(async () => {
  api.close();
  api.closeAllConnections();
  await rm(state.root, { recursive: true });
});

const createManagementKey = async () => {
  const key = `management-key-${known.length}`;
  known.push(key);
  return key;
};
const seed = () => seedKeys(state, baseUrl, createManagementKey);

test('the first start creates both keys, and stores them only for this user', async () => {
  const keys = await seed();
  expect(keys).toEqual({ managementKey: 'management-key-0', apiKey: 'api-key-1' });
  expect(JSON.parse(await readFile(state.keysFile, 'utf8'))).toEqual(keys);
  expect((await stat(state.keysFile)).mode & 0o777).toBe(0o600);
});

test('a later start finds the same keys', async () => {
  const first = await seed();
  expect(await seed()).toEqual(first);
  expect(known).toHaveLength(2);
});

test.each([0, 1])(
  'a key that the deployment has lost (%i) is replaced, and so is the other one',
  async (index) => {
    const first = await seed();
    known.splice(index, 1);
    const second = await seed();
    expect(second.managementKey).not.toBe(first.managementKey);
    expect(known).toEqual(expect.arrayContaining([second.managementKey, second.apiKey]));
  },
);

test('a deployment that does not work causes an error with its response', async () => {
  await seed();
  status = 502;
  const failure = await seed().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LocalRunError);
  expect(failure).toMatchObject({
    message: 'The deployed API does not work: GET /keys answered 502.',
    output: 'broken',
  });
});
