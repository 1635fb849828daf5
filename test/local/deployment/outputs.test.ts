import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readOutputs } from '../../../local/deployment/deploy.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-outputs-'));
  file = join(folder, 'outputs.json');
});

afterEach(() => rm(folder, { recursive: true }));

const outputs = {
  ApiId: 'a1',
  KeysTable: 'keys',
  ListsTable: 'lists',
  GuardrailsTable: 'guardrails',
  AccountsTable: 'accounts',
  WorkspacesTable: 'workspaces',
  DownloadsPublicKey: '-----BEGIN PUBLIC KEY-----',
  FilesBucket: 'files',
  ResultsBucket: 'results',
  UploadEnvironment: '{"KEYS_TABLE":"keys"}',
};

test('the stack’s outputs are read by name, including those that are not needed here', async () => {
  await writeFile(file, JSON.stringify({ 'Genway-local': { ...outputs, Bucket: 'b' } }));
  expect(await readOutputs(file, 'Genway-local')).toEqual({
    ...outputs,
    UploadEnvironment: { KEYS_TABLE: 'keys' },
    Bucket: 'b',
  });
});

test.each([
  ['another stack', { Other: outputs }],
  ['no API', { 'Genway-local': { ...outputs, ApiId: undefined } }],
  ['an environment that is no JSON', { 'Genway-local': { ...outputs, UploadEnvironment: '{' } }],
  ['a table without a name', { 'Genway-local': { ...outputs, KeysTable: 7 } }],
])('%s is an error', async (_case, written) => {
  await writeFile(file, JSON.stringify(written));
  await expect(readOutputs(file, 'Genway-local')).rejects.toThrow();
});
