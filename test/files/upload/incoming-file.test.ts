import { crc32 } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { writtenCrc32 } from '../../../functions/aws/object-upload/part.ts';
import { UnsupportedFileType } from '../../../functions/files/type-detection/accepted-types.ts';
import { TypeDetector } from '../../../functions/files/type-detection/type-detector.ts';
import { IncomingFile } from '../../../functions/files/upload/receive-file.ts';
import { memoryPorts } from './memory-ports.ts';

const of = (limit: number | undefined, ...chunks: (string | Uint8Array)[]) => {
  const file = new IncomingFile(memoryPorts().ports.objects.put('key'), (removal) => removal, limit);
  for (const chunk of chunks) file.write(Buffer.from(chunk));
  return file;
};

describe('a file on its way', () => {
  test('has the size and the type of all of its bytes', async () => {
    expect(await of(undefined, 'Some ', 'words.').end()).toEqual({
      size_bytes: 11,
      mime_type: 'text/plain',
      crc32: writtenCrc32(crc32('Some words.')),
    });
  });

  test('may be as large as its limit, and no larger', async () => {
    expect(await of(10, 'Some ', 'words').end()).toMatchObject({ size_bytes: 10 });
    expect(() => of(10, 'Some ', 'words.')).toThrow(
      expect.objectContaining({ status: 413, message: 'The file must be at most 10 bytes' }),
    );
  });

  test('must not be empty', async () => {
    await expect(of(undefined, '').end()).rejects.toMatchObject({
      status: 400,
      message: 'The file is empty',
      metadata: { path: 'file' },
    });
  });

  test('is not called unsupported where its type could not be looked for', async () => {
    const failure = new Error('a fault of the detector');
    const end = jest.spyOn(TypeDetector.prototype, 'end');
    end.mockImplementation(() => Promise.reject(failure));
    try {
      await expect(of(undefined, 'Some words.').end()).rejects.toBe(failure);
    } finally {
      end.mockRestore();
    }
  });

  test('of a type that is not accepted is refused, and says what would be', async () => {
    const refused = await of(undefined, Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1))
      .end()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: 400,
      metadata: { path: 'file', supported: expect.arrayContaining(['image/png']), found: expect.anything() },
      cause: expect.any(UnsupportedFileType),
    });
  });
});
