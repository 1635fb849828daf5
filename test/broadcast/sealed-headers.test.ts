import { expect, test } from '@jest/globals';
import { headerOpener, sealHeaders } from '../../functions/broadcast/sealed-headers.ts';
import { AwsWorld } from '../engines/index.ts';

const HEADERS = { 'x-b': 'planted-b', 'x-a': 'planted-a' };

function openWorld() {
  const world = new AwsWorld();
  const kmsKeyId = world.kms.createKey('ENCRYPT_DECRYPT', 'headers');
  const { kms } = world.startProcess();
  const open = headerOpener(kms, kmsKeyId);
  const store = async (workspaceId: string, headers: Record<string, string>) => ({
    workspace_id: workspaceId,
    url: 'https://traces.genway.dev/',
    updated_at: 'now',
    ...(await sealHeaders(headers, workspaceId, { kms, kmsKeyId })),
  });
  const calls = () => world.journal.calls.map(({ operation }) => operation);
  return { open, store, calls };
}

test('headers are stored encrypted, and decrypted with one call to KMS for many requests', async () => {
  const { open, store, calls } = openWorld();
  const stored = await store('ws-1', HEADERS);
  expect(stored.header_names).toEqual(['x-a', 'x-b']);
  expect(JSON.stringify(stored)).not.toContain('planted');
  for (let i = 0; i < 3; i++) expect(await open(stored)).toEqual(HEADERS);
  expect(calls()).toEqual(['Encrypt', 'Decrypt']);
});

test('new headers are decrypted again', async () => {
  const { open, store } = openWorld();
  await open(await store('ws-1', HEADERS));
  expect(await open(await store('ws-1', { 'x-a': 'other' }))).toEqual({ 'x-a': 'other' });
});

test('headers of another workspace cannot be decrypted', async () => {
  const { open, store } = openWorld();
  const stored = await store('ws-1', HEADERS);
  await expect(open({ ...stored, workspace_id: 'ws-2' })).rejects.toThrow();
});

test('no headers need no key', async () => {
  const { open, store, calls } = openWorld();
  const stored = await store('ws-1', {});
  expect(stored).not.toHaveProperty('ciphertext');
  expect([await open(stored), calls()]).toEqual([{}, []]);
});
