import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BlockPool, Part } from '../../../functions/aws/object-upload/part.ts';

const BLOCK = 64 * 1024;
const newPart = (capacity: number) => new Part(capacity, new BlockPool(BLOCK));
/** Its blocks still hold what another part wrote into them. */
function usedPool(blocks: number): BlockPool {
  const pool = new BlockPool(BLOCK);
  pool.giveBack(Array.from({ length: blocks }, () => Buffer.alloc(BLOCK, 'another')));
  return pool;
}
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => i % 251));

describe('a part', () => {
  test('holds its bytes in order, and returns those that do not fit', () => {
    const lengths = fc.array(fc.oneof(fc.nat(10), fc.integer({ min: 4_000, max: 4_200 }), fc.nat(70_000)));
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 200_000 }), (chunkLengths, capacity) => {
        const bytes = bytesOf(chunkLengths.reduce((sum, length) => sum + length, 0));
        const part = new Part(capacity, usedPool(3));
        let at = 0;
        let rest = 0;
        for (const length of chunkLengths) {
          rest += part.take(bytes.subarray(at, at + length)).length;
          at += length;
        }
        const held = bytes.subarray(0, capacity);
        expect([part.length, rest]).toEqual([held.length, bytes.length - held.length]);
        expect(part.isFull).toBe(held.length === capacity);
        expect(Buffer.concat(part.chunks).equals(held)).toBe(true);
        expect(Buffer.from(part.checksum, 'base64').readUInt32BE()).toBe(crc32(held));
      }),
    );
  });

  test('copies what it takes, so that its giver may write over it', () => {
    const chunk = bytesOf(200_000);
    const part = newPart(1024 ** 2);
    part.take(chunk);
    chunk.fill(0);
    expect(Buffer.concat(part.chunks).equals(bytesOf(200_000))).toBe(true);
  });

  test('gives its blocks back once, and holds nothing then', () => {
    const pool = new BlockPool(BLOCK);
    const part = new Part(1024 ** 2, pool);
    part.take(bytesOf(1));
    const [chunk] = part.chunks;
    for (let i = 0; i < 2; i++) part.giveBack();
    expect(part.chunks).toEqual([]);
    const [first, second] = [pool.take(), pool.take()];
    expect(first.buffer).toBe(chunk?.buffer);
    expect(second.buffer).not.toBe(chunk?.buffer);
  });

  test('copies small chunks together, so that their overhead does not grow', () => {
    const part = newPart(1024 ** 2);
    for (let i = 0; i < 300_000; i++) part.take(Buffer.from([i % 251]));
    expect(part.chunks).toHaveLength(Math.ceil(300_000 / (64 * 1024)));
    expect(Buffer.concat(part.chunks).equals(bytesOf(300_000))).toBe(true);
  });

  test('can be read again, and filled after it was read', () => {
    const part = newPart(100);
    part.take(bytesOf(3));
    expect(Buffer.concat(part.chunks).equals(bytesOf(3))).toBe(true);
    part.take(bytesOf(8).subarray(3));
    for (let i = 0; i < 2; i++) expect(Buffer.concat(part.chunks).equals(bytesOf(8))).toBe(true);
  });
});
