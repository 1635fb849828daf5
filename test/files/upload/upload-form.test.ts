import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FilePart } from '../../../functions/files/upload/form-reader.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { readUploadForm } from '../../../functions/files/upload/upload-form.ts';
import { ApiError } from '../../../functions/http/errors.ts';
import { memoryPorts } from './memory-ports.ts';

const TYPE = 'multipart/form-data; boundary=x';

const part = (disposition: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const FILE = part('name="file"; filename="a.txt"', 'Some words.\n');
const END = '--x--\r\n';

const chunks = (...pieces: (string | Buffer)[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)));
const read = (body: string, type = TYPE) =>
  readUploadForm({ body: chunks(body), contentType: type }, () => new StreamedFile(text));

describe('a form', () => {
  test.each([
    ['one file', FILE, { purpose: 'user_data' }],
    ['a purpose before it', part('name="purpose"', 'batch') + FILE, { purpose: 'batch' }],
    ['a purpose behind it', FILE + part('name="purpose"', 'vision'), { purpose: 'vision' }],
    ['other fields', part('name="expires_in"', 'x') + FILE + part('name="z"', ''), {}],
    ['other files', part('name="photo"; filename="p"', 'p') + FILE, {}],
    ['63 other parts', part('name="a"', '1').repeat(63) + FILE, {}],
    [
      'a nested form’s bytes',
      part('name="n"', '--y\r\n\r\nx\r\n--y--', 'Content-Type: multipart/mixed\r\n') + FILE,
      {},
    ],
  ])('may hold %s', async (_, body, expected) => {
    expect(await read(body + END)).toEqual({
      filename: 'a.txt',
      purpose: 'user_data',
      file: 'Some words.\n',
      ...expected,
    });
  });

  test('names its unused parts', async () => {
    const warnings: string[] = [];
    const warn = (warning: string) => warnings.push(warning);
    const known = part('name="purpose"', 'batch') + part('name="expires_after[seconds]"', '60');
    const body = chunks(known + part('name="purpos"', 'x') + FILE + part('name="z"', '') + END);
    await readUploadForm({ body, contentType: TYPE, warn }, () => new StreamedFile(text));
    expect(warnings).toEqual([
      'purpos is not a field of this operation; did you mean purpose?',
      'z is not a field of this operation',
    ]);
  });

  test('says until when its file is kept', async () => {
    const form = await read(part('name="expires_in_seconds"', '60') + FILE + END);
    expect(form.expiresInSeconds).toBe(60);
    await expect(read(part('name="expires_after"', 'soon') + FILE + END)).rejects.toThrow(
      'expires_after: must',
    );
  });

  test('has the purpose that it says last, and none in a file', async () => {
    const field = (purpose: string) => part('name="purpose"', purpose);
    expect((await read(field('batch') + field('vision') + FILE + END)).purpose).toBe('vision');
    const file = part('name="purpose"; filename="p"', 'batch');
    expect((await read(file + FILE + END)).purpose).toBe('user_data');
  });

  test('has its fields and its file whole, however they are cut', async () => {
    const whole = Buffer.from(part('name="purpose"', 'fine-tune-results') + FILE + END);
    const body = Readable.from(Array.from(whole, (byte) => Buffer.of(byte)));
    expect(await readUploadForm({ body, contentType: TYPE }, () => new StreamedFile(text))).toMatchObject({
      purpose: 'fine-tune-results',
      file: 'Some words.\n',
    });
  });

  test('tells the receiver of its file what it says of it, and the purpose once it is known', async () => {
    const head = 'Content-Type: text/x\r\n';
    const file = part('name="file"; filename="a.txt"', 'words', head);
    const told: unknown[] = [];
    const begin = ({ filename, contentType, purpose }: FilePart) => {
      told.push(filename, contentType);
      void purpose.then((known) => told.push(known));
      return new StreamedFile(text);
    };
    const body = file + part('name="purpose"', 'batch') + END;
    await readUploadForm({ body: chunks(body), contentType: TYPE }, begin);
    expect(told).toEqual(['a.txt', 'text/x', 'batch']);
  });

  test('that is refused tells the receiver of its file, who waits for its purpose', async () => {
    let why: unknown;
    const begin = ({ purpose }: FilePart) =>
      new StreamedFile(async (file) => {
        await text(file).catch(() => '');
        why = await purpose.catch((error: unknown) => error);
      });
    const refused = readUploadForm({ body: chunks(FILE), contentType: TYPE }, begin);
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(why).toBe(error);
    expect(error).toMatchObject({ message: 'The multipart body is malformed: it is incomplete' });
  });

  test('leaves a content transfer encoding as it was sent', async () => {
    const encoded = part('name="file"; filename="a"', 'U29tZQ==', 'Content-Transfer-Encoding: base64\r\n');
    expect((await read(encoded + END)).file).toBe('U29tZQ==');
  });

  test.each([
    ['nothing', END, 'one part named file'],
    ['no part named file', part('name="files"; filename="a"', 'x') + END, 'one part named file'],
    ['a plain field named file', part('name="file"', 'x') + END, 'give it a filename'],
    ['two files', FILE + FILE + END, 'not several'],
    ['64 other parts', part('name="a"', '1').repeat(64) + FILE + END, 'at most 64 parts'],
    ['a part without a name', `--x\r\n\r\ny\r\n${FILE}${END}`, 'with a name'],
    ['an unknown purpose', FILE + part('name="purpose"', 'fun') + END, 'purpose: must be one of'],
    ['a very long purpose', FILE + part('name="purpose"', 'batch'.repeat(100_000)) + END, 'purpose'],
    ['no end', FILE, 'incomplete'],
    ['half an end', `${FILE}--x-`, 'incomplete'],
  ])('is refused when it holds %s', async (_, body, message) => {
    await expect(read(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['no file', END],
    ['a plain field', part('name="file"', 'x') + END],
    ['two files', FILE + FILE + END],
  ])('tells programs which part is wrong when it holds %s', async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ metadata: { path: 'file' } });
  });

  test('is read with backpressure from its file', async () => {
    let sent = 0;
    const body = Readable.from(
      (function* () {
        yield Buffer.from(FILE.slice(0, -'\r\n'.length));
        for (; sent < 500; sent++) yield Buffer.alloc(64 * 1024);
        yield Buffer.from(`\r\n${END}`);
      })(),
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const receive = async (file: Readable) => {
      await held;
      const sentMeanwhile = sent;
      for await (const _ of file);
      return sentMeanwhile;
    };
    const form = readUploadForm({ body, contentType: TYPE }, () => new StreamedFile(receive));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await form).file).toBeLessThan(10);
  });

  test('whose file is refused fails with its receiver’s error', async () => {
    const refusal = new Error('no room');
    const body = chunks(
      FILE.slice(0, 100),
      ...Array.from({ length: 50 }, () => 'x'.repeat(100_000)),
      `\r\n${END}`,
    );
    const form = readUploadForm(
      { body, contentType: TYPE },
      () => new StreamedFile(() => Promise.reject(refusal)),
    );
    await expect(form).rejects.toBe(refusal);
  });
});

describe('an upload', () => {
  const whole = Buffer.from(part('name="purpose"', 'vision') + FILE + END);

  /** Uploads a body and returns the status, how many objects have no row, and how many rows there are. */
  async function upload(pieces: Buffer[]): Promise<{ status: number; orphans: number; rows: number }> {
    const world = memoryPorts();
    const request = {
      body: Readable.from(pieces),
      contentType: TYPE,
      workspaceId: 'w',
      conditions: () => ({}),
      log: world.log,
    };
    const status = await receiveFile(request, world.ports).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : 500),
    );
    return { status, orphans: world.objects.size - world.rows.length, rows: world.rows.length };
  }

  test('is the same file for any chunks', async () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const { status, rows } = await upload([whole.subarray(0, cut), whole.subarray(cut)]);
      expect({ cut, status, rows }).toEqual({ cut, status: 200, rows: 1 });
    }
    expect(await upload([...whole].map((byte) => Buffer.from([byte])))).toMatchObject({ status: 200 });
  });

  test('is refused, and leaves nothing, when it ends at any byte before its end', async () => {
    for (let length = 0; length < whole.length - '\r\n'.length; length++) {
      expect(await upload([whole.subarray(0, length)])).toEqual({ status: 400, orphans: 0, rows: 0 });
    }
  });

  test('of mutated bytes is stored completely or refused, and nothing is left over', async () => {
    const mutation = fc.record({
      at: fc.nat(whole.length),
      remove: fc.nat(8),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom('\r\n', '--x', '\r\n--x', '--', '"', ';', '\0', 'name="file"')
          .map((word) => Buffer.from(word)),
      ),
    });
    const mutated = fc
      .tuple(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.nat(whole.length))
      .map(([mutations, cut]): Buffer[] => {
        const body = mutations.reduce(
          (bytes, { at, remove, insert }) =>
            Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
          whole,
        );
        return [body.subarray(0, cut), body.subarray(cut)];
      });
    await fc.assert(
      fc.asyncProperty(mutated, async (pieces) => {
        const { status, orphans, rows } = await upload(pieces);
        expect([200, 400]).toContain(status);
        expect({ orphans, rows }).toEqual({ orphans: 0, rows: status === 200 ? 1 : 0 });
      }),
      { numRuns: 5_000 },
    );
  });
});
