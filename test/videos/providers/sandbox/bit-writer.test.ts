import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BitWriter } from '../../../../functions/videos/providers/sandbox/h264-syntax.ts';

/** The written bits, without rbsp_trailing_bits. */
function bitsOf(write: (writer: BitWriter) => unknown): string {
  const writer = new BitWriter();
  write(writer);
  const all = Array.from(writer.finish(), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return all.slice(0, all.lastIndexOf('1'));
}

describe('BitWriter', () => {
  // Values from ITU-T H.264, tables 9-2 and 9-3.
  test.each([
    [0, '1'],
    [1, '010'],
    [2, '011'],
    [3, '00100'],
    [7, '0001000'],
    [254, '000000011111111'],
    [255, '00000000100000000'],
  ])('ue(%i) is %s', (value, bits) => expect(bitsOf((writer) => writer.ue(value))).toBe(bits));

  test.each([
    [0, '1'],
    [1, '010'],
    [-1, '011'],
    [2, '00100'],
    [-2, '00101'],
  ])('se(%i) is %s', (value, bits) => expect(bitsOf((writer) => writer.se(value))).toBe(bits));

  test('u(n) writes any number of up to 32 bits, most significant first', () => {
    const element = fc
      .integer({ min: 1, max: 32 })
      .chain((bits) => fc.tuple(fc.integer({ min: 0, max: 2 ** bits - 1 }), fc.constant(bits)));
    fc.assert(
      fc.property(fc.array(element), (elements) => {
        const written = bitsOf((writer) => {
          for (const [value, bits] of elements) writer.u(value, bits);
        });
        expect(written).toBe(elements.map(([value, bits]) => value.toString(2).padStart(bits, '0')).join(''));
      }),
    );
  });

  test('ends with a stop bit and zeros up to a whole byte', () => {
    expect([...new BitWriter().finish()]).toEqual([0b1000_0000]);
    expect([...new BitWriter().u(0b101, 3).finish()]).toEqual([0b1011_0000]);
    expect([...new BitWriter().u(0b1111111, 7).finish()]).toEqual([0xff]);
    expect([...new BitWriter().u(0xab, 8).finish()]).toEqual([0xab, 0x80]);
  });

  test('aligns with zeros before whole bytes, and only where needed', () => {
    const bytes = Uint8Array.of(1, 2);
    expect([...new BitWriter().u(1, 1).alignWithZeros().bytes(bytes).finish()]).toEqual([0x80, 1, 2, 0x80]);
    expect([...new BitWriter().alignWithZeros().bytes(bytes).finish()]).toEqual([1, 2, 0x80]);
  });

  test('grows past its first buffer by bits and by bytes, and starts over empty', () => {
    const large = new Uint8Array(70_000).map((_, i) => i % 251);
    const writer = new BitWriter().bytes(large);
    for (let i = 0; i < 140_000; i++) writer.u(i % 251, 8);
    const written = writer.finish();
    expect(written.length).toBe(210_001);
    expect(Buffer.from(written.subarray(0, 70_000)).equals(large)).toBe(true);
    expect(written.subarray(70_000, 210_000).every((byte, i) => byte === i % 251)).toBe(true);
    expect([...writer.reset().u(1, 1).finish()]).toEqual([0b1100_0000]);
  });
});
