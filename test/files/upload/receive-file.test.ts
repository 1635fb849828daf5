import { PassThrough, Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { StorageFull } from '../../../functions/files/file-store.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { CONTENT_TYPE, formOf, memoryPorts } from './memory-ports.ts';

let world: ReturnType<typeof memoryPorts>;
beforeEach(() => {
  world = memoryPorts();
});

function receive(body: Readable, contentType: string | undefined = CONTENT_TYPE) {
  const { log } = world;
  return receiveFile({ body, contentType, workspaceId: 'w1', conditions: () => ({}), log }, world.ports);
}

const bytes = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe('an upload', () => {
  test('becomes an object and then a row', async () => {
    const file = await receive(bytes(formOf('Some words.\n')));
    expect(file).toMatchObject({
      workspace_id: 'w1',
      filename: 'a.txt',
      size_bytes: 12,
      mime_type: 'text/plain',
    });
    expect(world.rows).toEqual([file]);
    expect([...world.objects]).toEqual([[`w1/${file.id}`, Buffer.from('Some words.\n')]]);
    expect(world.calls).toEqual(['put', 'announce', 'create']);
  });

  test('has a row that says when it was made, and when it ends', async () => {
    const kept = '--frontier\r\ncontent-disposition: form-data; name="expires_in_seconds"\r\n\r\n60\r\n';
    const file = await receive(bytes(kept, formOf('Some words.\n')));
    expect(file).toEqual({
      id: file.id,
      workspace_id: 'w1',
      filename: 'a.txt',
      size_bytes: 12,
      mime_type: 'text/plain',
      crc32: expect.stringMatching(/^.{6}==$/),
      purpose: 'user_data',
      created_at: '2026-01-02T03:04:05.000Z',
      expires_at: '2026-01-02T03:05:05.000Z',
    });
    expect(await receive(bytes(formOf('Some words.\n')))).not.toHaveProperty('expires_at');
  });

  test('that is refused before its file uses no store', async () => {
    await expect(receive(bytes('{}'), 'application/json')).rejects.toMatchObject({ status: 400 });
    await expect(receive(bytes('--frontier--\r\n'))).rejects.toMatchObject({ status: 400 });
    expect(world.calls).toEqual([]);
  });

  test('that cannot be written fails with the store’s error, and cleans up', async () => {
    world.failures.put = new Error('no such bucket');
    await expect(receive(bytes(formOf('x'.repeat(1_000_000))))).rejects.toBe(world.failures.put);
    expect(world.calls).toEqual(['put']);
    expect(world.aborted).toEqual([world.failures.put]);
  });

  test('whose row is refused leaves no object', async () => {
    world.failures.create = new StorageFull(1, undefined);
    await expect(receive(bytes(formOf('x')))).rejects.toBe(world.failures.create);
    expect(world.objects.size).toBe(0);
  });

  test('whose row may have been written although its answer was lost keeps its bytes', async () => {
    world.failures.create = new Error('read ECONNRESET');
    await expect(receive(bytes(formOf('x')))).rejects.toBe(world.failures.create);
    expect(world.objects.size).toBe(1);
  });

  test('becomes no object unless the sweeper would find it', async () => {
    world.failures.announce = new Error('throttled');
    await expect(receive(bytes(formOf('x')))).rejects.toBe(world.failures.announce);
    expect(world.objects.size).toBe(0);
    expect(world.calls).toEqual(['put', 'announce']);
  });

  test('whose object may have been written removes it', async () => {
    world.failures.end = new Error('read ECONNRESET');
    await expect(receive(bytes(formOf('x')))).rejects.toBe(world.failures.end);
    expect(world.objects.size).toBe(0);
    expect(world.calls).toEqual(['put', 'announce', 'end', 'remove']);
  });

  test.each([
    ['abort', '', 'The file is empty'],
    ['remove', 'x', 'no room for this file'],
  ] as const)('says why it failed, even if %s fails, which is logged', async (step, content, why) => {
    world.failures[step] = new Error('throttled');
    world.failures.create = new StorageFull(1, undefined);
    await expect(receive(bytes(formOf(content)))).rejects.toThrow(why);
    expect(world.logged).toEqual([
      [
        'the object of a failed upload may remain',
        { key: expect.stringMatching(/^w1\//), error: world.failures[step] },
      ],
    ]);
  });
});

describe('a body that is cut off', () => {
  const whole = formOf('One line.\nAnother line.\n');

  test('by a client that disconnects leaves nothing, at any point', async () => {
    for (let length = 0; length < whole.length; length++) {
      const body = new PassThrough();
      const received = receive(body);
      body.write(whole.subarray(0, length));
      body.destroy(new Error('aborted'));
      await expect(received).rejects.toMatchObject({ status: 400 });
    }
    expect(world.rows).toEqual([]);
    expect(world.objects.size).toBe(0);
  });

  test('before anybody reads it fails at once', async () => {
    const body = new PassThrough();
    body.destroy();
    await expect(receive(body)).rejects.toThrow('ended before its body was complete');
  });

  test('long after it was refused does no harm', async () => {
    const body = new PassThrough();
    await expect(receive(body, 'text/plain')).rejects.toMatchObject({ status: 400 });
    const closed = new Promise((resolve) => body.once('close', resolve));
    body.destroy(new Error('aborted'));
    await closed;
  });
});
