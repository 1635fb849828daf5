import { expect, test } from '@jest/globals';
import { FormReader } from '../../../functions/files/upload/upload-form.ts';

const FORM = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n';

test('a wait for room is kept, whatever else the chunk holds', () => {
  const room = new Promise<void>(() => undefined);
  const sink = { write: () => room, end: async () => 'received', abort: async () => undefined };
  const form = new FormReader('b', () => sink, { claims: [], warn: () => undefined });
  expect(form.take(Buffer.from(FORM))).toBe(room);
});
