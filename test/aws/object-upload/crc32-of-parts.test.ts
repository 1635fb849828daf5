import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { crc32OfBoth } from '../../../functions/aws/object-upload/part.ts';

test('the CRC-32 of parts is that of the whole, wherever it is cut', () => {
  const bytes = fc.uint8Array({ maxLength: 5_000 });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 6 }), (parts) => {
      const combined = parts.reduce((crc, part) => crc32OfBoth(crc, crc32(part), part.length), 0);
      expect(combined).toBe(crc32(Buffer.concat(parts)));
    }),
  );
});

test('this also holds for a part of full length', () => {
  const part = Buffer.alloc(8 * 1024 ** 2 + 1, 'part');
  expect(crc32OfBoth(crc32(part), crc32(part), part.length)).toBe(crc32(Buffer.concat([part, part])));
});
