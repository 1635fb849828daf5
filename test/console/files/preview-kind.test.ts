import { expect, test } from '@jest/globals';
import { previewKind } from '../../../console/files/preview-kind.ts';

const MOST = 10 * 1024 ** 2;

test.each([
  ['image/png', MOST, 'image'],
  ['image/webp', 1, 'image'],
  ['image/svg+xml', 1, undefined],
  ['audio/ogg', 1, 'audio'],
  ['text/plain', 1, 'text'],
  ['application/json', 1, 'text'],
  ['application/pdf', 1, undefined],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 1, undefined],
  ['image/png', MOST + 1, undefined],
  ['text/plain', MOST + 1, undefined],
])('%s of %i bytes is shown as %s', (mime_type, size_bytes, kind) => {
  expect(previewKind({ mime_type, size_bytes })).toBe(kind);
});
