import { describe, expect, test } from '@jest/globals';
import { BlockPool } from '../../../functions/aws/object-upload/part.ts';

describe('a pool of blocks', () => {
  test('gives new blocks while it has none, each of its own memory', () => {
    const pool = new BlockPool(10);
    const [one, other] = [pool.take(), pool.take()];
    expect([one.length, one.buffer.byteLength]).toEqual([10, 10]);
    expect(one.buffer).not.toBe(other.buffer);
  });

  test('gives a block that came back to one taker only', () => {
    const pool = new BlockPool(10);
    const block = pool.take();
    pool.giveBack([block]);
    expect(pool.take()).toBe(block);
    expect(pool.take()).not.toBe(block);
  });

  test.each([
    ['at once', (pool: BlockPool, blocks: Buffer[]) => pool.giveBack(blocks)],
    [
      'one by one',
      (pool: BlockPool, blocks: Buffer[]) => {
        for (const block of blocks) pool.giveBack([block]);
      },
    ],
  ])('keeps no more than it may of blocks that come back %s', (_, giveBack) => {
    const pool = new BlockPool(10, 39);
    const blocks = Array.from({ length: 5 }, () => pool.take());
    giveBack(pool, blocks);
    const taken = Array.from({ length: 5 }, () => pool.take());
    expect(taken.filter((block) => blocks.includes(block))).toHaveLength(3);
  });

  test('keeps four parts of 8 MiB', () => {
    const pool = new BlockPool();
    const blocks = Array.from({ length: 130 }, () => pool.take());
    pool.giveBack(blocks);
    const kept = Array.from({ length: 130 }, () => pool.take()).filter((block) => blocks.includes(block));
    expect(kept.length * pool.blockBytes).toBe(32 * 1024 ** 2);
  });
});
