import { expect, test } from '@jest/globals';
import { describeUnknown } from '../../../functions/files/type-detection/file-signatures.ts';

test.each([
  ['a\0b\0', 'UTF-16 text without a byte order mark'],
  ['\0a\0b', 'UTF-16 text without a byte order mark'],
  ['a\0b', 'unknown binary data'],
  ['\0a\0', 'unknown binary data'],
  ['\0\0\0a', 'unknown binary data'],
  ['a bc\0', 'text with NUL bytes'],
])('%j is described as %s', (bytes, described) => {
  expect(describeUnknown(Buffer.from(bytes, 'latin1'), bytes.includes('\0'))).toBe(described);
});
