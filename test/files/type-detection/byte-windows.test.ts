import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HeadWindow, TailWindow } from '../../../functions/files/type-detection/byte-windows.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 });
const capacity = fc.integer({ min: 1, max: 64 });

test('the head window has the first bytes', () => {
  fc.assert(
    fc.property(chunks, capacity, (parts, size) => {
      const window = new HeadWindow(size);
      for (const part of parts) window.write(part);
      const whole = Buffer.concat(parts);
      expect(window.bytes).toEqual(whole.subarray(0, size));
      expect(window.isFull).toBe(whole.length >= size);
    }),
  );
});

test('the head window grows past what it begins with', () => {
  const window = new HeadWindow(100_000);
  for (let i = 0; i < 3_000; i++) window.write(Buffer.alloc(40, i));
  expect(window.bytes.length).toBe(100_000);
  expect(window.bytes[99_999]).toBe(2_499 % 256);
});

test('the tail window has the last bytes', () => {
  fc.assert(
    fc.property(chunks, capacity, (parts, size) => {
      const window = new TailWindow(size);
      for (const part of parts) window.write(part);
      const whole = Buffer.concat(parts);
      expect(window.bytes).toEqual(whole.subarray(Math.max(0, whole.length - size)));
      expect(window.total).toBe(whole.length);
    }),
  );
});
