import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shortSearch } from '../../../functions/files/upload/multipart-scanner.ts';

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

test('finds a zero where it stands, and not behind another byte', () => {
  expect(shortSearch(Buffer.from([0]))(Buffer.from([5, 7]))).toBe(-1);
  expect(shortSearch(Buffer.from([0]))(Buffer.from([5, 0]))).toBe(1);
  expect(shortSearch(Buffer.from([0, 0]))(Buffer.from([5, 0, 7, 0, 0]))).toBe(3);
});

test('finds nothing of the bytes that it has searched before', () => {
  const search = shortSearch(Buffer.from('\r\n--b'));
  expect(search(Buffer.from('a film\r\n--b'))).toBe(6);
  expect(search(Buffer.from('a film'))).toBe(-1);
  expect(search(Buffer.from('a film\r\n--'))).toBe(-1);
});
