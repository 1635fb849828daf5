import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claimedDigests } from '../../../functions/files/upload/claimed-digests.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { readUploadForm } from '../../../functions/files/upload/upload-form.ts';
import { CONTENT_TYPE, formOf, memoryPorts } from './memory-ports.ts';

const hash = (algorithm: string, file: Buffer) => createHash(algorithm).update(file).digest('base64');

/** Each way to state a file's digest. */
const WAYS: Readonly<Record<string, (file: Buffer) => string>> = {
  'content-md5': (file) => hash('md5', file),
  digest: (file) => `md5=${hash('md5', file)},sha-256=${hash('sha256', file)}`,
  'repr-digest': (file) => `sha-512=:${hash('sha512', file)}:`,
  'x-checksum-crc32': (file) => crc32(file).toString(16).padStart(8, '0'),
  'x-checksum-sha256': (file) => hash('sha256', file),
};
const ways = Object.entries(WAYS);

const claimsOf = (field: string, file: Buffer) => claimedDigests(new Map([[field, WAYS[field]?.(file)]]));

/** Cuts a body into pieces at these places. */
const cut = (body: Buffer, at: readonly number[]) => {
  const places = [0, ...at.map((place) => place % body.length).sort((a, b) => a - b), body.length];
  return Readable.from(
    places
      .slice(1)
      .map((end, i) => body.subarray(places[i], end))
      .filter((piece) => piece.length > 0),
  );
};

async function upload(claimed: Buffer, sent: Buffer, field: string, at: readonly number[]) {
  const world = memoryPorts();
  const { log } = world;
  const form = { body: cut(formOf(sent), at), contentType: CONTENT_TYPE, claims: claimsOf(field, claimed) };
  const request = { ...form, workspaceId: 'w1', conditions: () => ({}), log };
  const outcome = await receiveFile(request, world.ports).catch((error: unknown) => error);
  return { world, outcome };
}

const words = fc
  .string({ minLength: 1, maxLength: 300 })
  .map((words) => Buffer.from(`${words.replaceAll('\0', '')}.`));
const anyCuts = fc.array(fc.nat(), { maxLength: 20 });

describe.each(ways)('a file with %s', (field, write) => {
  test('that matches is stored, for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(words, anyCuts, async (file, at) => {
        const { world, outcome } = await upload(file, file, field, at);
        expect(outcome).toMatchObject({ size_bytes: file.length });
        expect([...world.objects.values()]).toEqual([file]);
      }),
      { numRuns: 30 },
    );
  });

  test('of other bytes is refused with both values, and leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(words, fc.nat(), anyCuts, async (file, place, at) => {
        const sent = Buffer.from(file);
        sent[place % sent.length] = sent[place % sent.length] === 0x61 ? 0x62 : 0x61;
        fc.pre(!sent.equals(file));
        const { world, outcome } = await upload(file, sent, field, at);
        expect(outcome).toMatchObject({ status: 400, metadata: { path: field } });
        const { message } = Object(outcome);
        const [, actual, claimed] =
          /^[\w-]+: the [\w-]+ of the content is (\S+), not (\S+)$/.exec(message) ?? [];
        expect(write(sent)).toContain(actual);
        expect(write(file)).toContain(claimed);
        expect([world.rows, world.objects.size]).toEqual([[], 0]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a digest', () => {
  const file = Buffer.from('Some words.\n');
  const read = (header: string, claims = claimsOf('content-md5', file)) => {
    const body = formOf(file).toString().replace('\r\n\r\n', `\r\n${header}\r\n\r\n`);
    const form = { body: Readable.from([Buffer.from(body)]), contentType: CONTENT_TYPE, claims };
    return readUploadForm(form, () => new StreamedFile(text));
  };

  test('in the part’s header is checked like one of the request', async () => {
    expect(await read(`Content-MD5: ${hash('md5', file)}`)).toMatchObject({ file: 'Some words.\n' });
    const other = hash('md5', Buffer.from('Other words.\n'));
    await expect(read(`Content-MD5: ${other}`)).rejects.toThrow(`not ${other}`);
    await expect(read('Content-MD5: x')).rejects.toThrow('content-md5: the MD5 digest must have 16 bytes');
  });

  test('that does not match makes the receiver’s stream fail', async () => {
    const claims = claimsOf('x-checksum-crc32', Buffer.from('other'));
    const received = Promise.withResolvers<unknown>();
    const receive = (stream: Readable) => {
      const whole = text(stream);
      whole.then(received.resolve, received.reject);
      return whole;
    };
    const form = { body: Readable.from([formOf(file)]), contentType: CONTENT_TYPE, claims };
    await expect(readUploadForm(form, () => new StreamedFile(receive))).rejects.toMatchObject({
      status: 400,
    });
    await expect(received.promise).rejects.toThrow('the form was refused');
  });

  test('of SHA-256 is kept with the file, in base64; the CRC-32 of every file is', async () => {
    const claims = claimedDigests(
      new Map([['x-checksum-sha256', createHash('sha256').update(file).digest('hex')]]),
    );
    const { ports, log } = memoryPorts();
    const request = { contentType: CONTENT_TYPE, workspaceId: 'w1', conditions: () => ({}), log };
    const stored = await receiveFile({ ...request, body: Readable.from([formOf(file)]), claims }, ports);
    expect(stored).toMatchObject({ sha256: hash('sha256', file), crc32: expect.stringMatching(/^.{6}==$/) });
    expect(await receiveFile({ ...request, body: Readable.from([formOf(file)]) }, ports)).not.toHaveProperty(
      'sha256',
    );
  });
});
