import { beforeEach, expect, test } from '@jest/globals';
import { emptyAccount } from '../../functions/money/account.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import type { LeaseLists } from '../../functions/money/lease-lists.ts';
import { micros } from '../../functions/money/micros.ts';
import { startLeases } from './lease-rows.ts';

const leaseOf = (workspaceId: string) => emptyAccount(leaseAccount(workspaceId));

let lists: LeaseLists;
let write: Awaited<ReturnType<typeof startLeases>>['write'];
beforeEach(async () => {
  const rows = await startLeases();
  ({ write } = rows);
  ({ lists } = rows.accounts.leases);
});

test('leases are listed while they are lent something', async () => {
  for (const id of ['b', 'c', 'a']) await write({ list: lists.adding(leaseOf(id)) });
  expect(await lists.read()).toEqual({ ids: ['a', 'b', 'c'], uncredited: 0 });
  await write({ list: lists.removing(leaseOf('b')) });
  expect((await lists.read()).ids).toEqual(['a', 'c']);
});

test('costs without credits are counted beside the leases', async () => {
  await write({ count: lists.countUncredited('a', micros(3)) });
  await write({ count: lists.countUncredited('b', micros(4)) });
  await write({ list: lists.adding(leaseOf('a')) });
  await write({ count: lists.countUncredited('a', micros(5)) });
  expect(await lists.read()).toEqual({ ids: ['a'], uncredited: 12 });
});

// A later version must find a workspace in the list into which an earlier one has written it.
test.each([
  ['a', 'leases-1'],
  ['ab', 'leases-1'],
  ['w1', 'leases-10'],
  ['0b8d6c1e', 'leases-15'],
])('the workspace %s is in %s', (id, account) => {
  for (const item of [lists.adding(leaseOf(id)), lists.removing(leaseOf(id))]) {
    expect(item.Update?.Key).toEqual({ account });
  }
});
