import { beforeEach, describe, expect, test } from '@jest/globals';
import { emptyAccount } from '../../functions/money/account.ts';
import { AccountBook } from '../../functions/money/account-book.ts';

let now: Date;
let reads: string[];
let book: AccountBook;

beforeEach(() => {
  now = new Date('2026-11-21T10:00:00Z');
  reads = [];
  const read = async (ids: readonly string[]) => {
    reads.push(ids.join());
    return [];
  };
  book = new AccountBook({ read }, () => now);
});

describe('cached accounts', () => {
  test('are replaced by what this instance has written, until they would be read again', async () => {
    const written = [emptyAccount('a')];
    book.learn(['a'], written);
    expect(await book.look(['a'])).toEqual({ accounts: [], isFresh: true });
    now = new Date(now.getTime() + 29_999);
    book.learn(['a'], written);
    expect(await book.look(['a'])).toEqual({ accounts: written, isFresh: false });
    now = new Date(now.getTime() + 1);
    expect(await book.look(['a'])).toEqual({ accounts: [], isFresh: true });
  });

  test('are cached for half a minute', async () => {
    expect(await book.look(['a', 'b'])).toEqual({ accounts: [], isFresh: true });
    now = new Date(now.getTime() + 29_999);
    expect(await book.look(['a', 'b'])).toEqual({ accounts: [], isFresh: false });
    now = new Date(now.getTime() + 1);
    expect(await book.look(['a', 'b'])).toEqual({ accounts: [], isFresh: true });
    expect(reads).toEqual(['a,b', 'a,b']);
  });

  test('stay cached while they are used, however many others are read', async () => {
    for (let i = 0; i < 3_000; i++) {
      await book.look(['used']);
      await book.look([`other-${i}`]);
    }
    expect(reads.filter((ids) => ids === 'used')).toHaveLength(1);
    await book.look(['other-0']);
    expect(reads.filter((ids) => ids === 'other-0')).toHaveLength(2);
  });
});
