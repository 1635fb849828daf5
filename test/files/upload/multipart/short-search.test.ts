import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shortSearch } from '../../../../functions/files/upload/multipart/short-search.ts';

test('finds the same place as indexOf, near or far', () => {
  const byte = fc.constantFrom(...Buffer.from('\r\n-b'));
  const bytes = (maxLength: number, minLength = 0) => fc.uint8Array({ maxLength, minLength });
  const few = (maxLength: number, minLength = 0) =>
    fc.array(byte, { maxLength, minLength }).map((all) => Buffer.from(all));
  fc.assert(
    fc.property(fc.oneof(few(7, 1), bytes(7, 1)), fc.oneof(few(60), bytes(60)), (wanted, text) => {
      const expected = Buffer.from(text).indexOf(wanted);
      expect(shortSearch(wanted)(text)).toBe(expected);
      expect(shortSearch(wanted)(Buffer.concat([text, wanted]))).toBe(
        Buffer.concat([text, wanted]).indexOf(wanted),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('passes over as many bytes as it looks for where none of them occurs', () => {
  let read = 0;
  const text = new Proxy(new Uint8Array(700), {
    get(bytes, name) {
      const value: unknown = Reflect.get(bytes, name);
      if (typeof value === 'number' && name !== 'length') read += 1;
      return value;
    },
  });
  expect(shortSearch(Buffer.from('\r\n--abc'))(text)).toBe(-1);
  // Each place is read twice: it is compared, and says how far to go on.
  expect(read).toBe((2 * 700) / 7);
});
