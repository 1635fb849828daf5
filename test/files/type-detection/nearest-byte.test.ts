import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NearestByte } from '../../../functions/files/type-detection/csv-walker.ts';

const wanted = [1, 2, 3];

test('the nearest byte is found from wherever it is looked for', () => {
  const chunk = fc.uint8Array({ max: 9, maxLength: 60 }).map((bytes) => Buffer.from(bytes));
  const places = fc.array(fc.nat(60), { maxLength: 20 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(fc.tuple(chunk, places), { maxLength: 3 }), (chunks) => {
      const nearest = new NearestByte(wanted);
      for (const [bytes, from] of chunks) {
        nearest.begin(bytes);
        for (const at of from.filter((place) => place <= bytes.length)) {
          const found = bytes.findIndex((byte, index) => index >= at && wanted.includes(byte));
          expect(nearest.from(at)).toBe(found === -1 ? bytes.length : found);
        }
      }
    }),
  );
});
