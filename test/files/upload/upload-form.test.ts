import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, jest, test } from '@jest/globals';
import { HeadWindow } from '../../../functions/files/type-detection/byte-windows.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { type FilePart, readUploadForm } from '../../../functions/files/upload/upload-form.ts';
import { END, FILE, part, TYPE } from './form-text.ts';

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
    expect(error).toMatchObject({
      message: 'The multipart body is malformed: its closing delimiter is missing',
    });
  });

  test('that is refused does no harm where nobody waits for its purpose, or listens to its body', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const body = chunks(FILE);
      const form = readUploadForm({ body, contentType: TYPE }, () => new StreamedFile(text));
      await expect(form).rejects.toThrow('closing delimiter');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      expect(body.emit('error', new Error('hung up'))).toBe(true);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  test('keeps no more of a field than could count', async () => {
    const whole = Buffer.from(part('name="purpose"', 'x'.repeat(10_000)) + FILE + END);
    const pieces = Array.from({ length: Math.ceil(whole.length / 100) }, (_, i) =>
      whole.subarray(100 * i, 100 * (i + 1)),
    );
    const write = jest.spyOn(HeadWindow.prototype, 'write');
    try {
      const form = readUploadForm(
        { body: Readable.from(pieces), contentType: TYPE },
        () => new StreamedFile(text),
      );
      await expect(form).rejects.toThrow('purpose: must be one of');
      const windows = write.mock.contexts.filter((each) => each instanceof HeadWindow);
      const kept = windows.map(({ bytes }) => bytes.length);
      expect(Math.max(...kept)).toBe(256);
    } finally {
      write.mockRestore();
    }
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
    [
      'an unknown purpose',
      FILE + part('name="purpose"', 'fun') + END,
      'purpose: must be one of assistants, batch, ',
    ],
    ['a very long purpose', FILE + part('name="purpose"', 'batch'.repeat(100_000)) + END, 'purpose'],
    ['no end', FILE, 'closing delimiter'],
    ['half an end', `${FILE}--x-`, 'closing delimiter'],
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
    const piece = Buffer.alloc(64 * 1024);
    const body = Readable.from(
      (function* () {
        yield Buffer.from(FILE.slice(0, -'\r\n'.length));
        for (; sent < 500; sent++) yield piece;
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
