import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nalUnit } from '../../../../functions/videos/providers/sandbox/h264-syntax.ts';

const HEADER = 0x65;

describe('nalUnit', () => {
  test.each([
    [[], []],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 3, 0],
    ],
    [
      [0, 0, 1],
      [0, 0, 3, 1],
    ],
    [
      [0, 0, 3],
      [0, 0, 3, 3],
    ],
    [
      [0, 0, 4],
      [0, 0, 4],
    ],
    [
      [0, 1, 0, 0, 2],
      [0, 1, 0, 0, 3, 2],
    ],
    [
      [0, 0, 0, 0, 0],
      [0, 0, 3, 0, 0, 3, 0],
    ],
  ])('%j is carried as %j', (payload, carried) => {
    expect([...nalUnit(HEADER, Uint8Array.from(payload))]).toEqual([HEADER, ...carried]);
  });

  test('leaves room for a length in front', () => {
    expect([...nalUnit(HEADER, Uint8Array.of(9, 0x80), 4)]).toEqual([0, 0, 0, 0, HEADER, 9, 0x80]);
  });

  test('never shows a start code, and gives the payload back', () => {
    // Mostly small bytes, because start codes consist of them.
    const payload = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 }), fc.nat(255)));
    fc.assert(
      fc.property(payload, (bytes) => {
        const carried = Buffer.from(nalUnit(HEADER, Uint8Array.from(bytes)).subarray(1));
        for (const pattern of [0, 1, 2]) expect(carried.includes(Buffer.of(0, 0, pattern))).toBe(false);
        const payload = carried.toString('latin1').replaceAll('\0\0\u0003', '\0\0');
        expect(payload).toBe(Buffer.from(bytes).toString('latin1'));
      }),
    );
  });
});
