import { expect, test } from '@jest/globals';
import { emptyAccount } from '../../functions/money/account.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { returnIdleLeases } from '../../functions/reconciling/return-leases.ts';

const at = '2029-01-01T00:00:00.000Z';
const lentAt = (updated_at: string) => ({ micros: micros(10), created_at: at, updated_at });
const idle = (account: string) => ({ ...emptyAccount(account), limits: { lifetime: lentAt(at) } });

test('leases for which a run has no time are returned by the next run', async () => {
  const open = new Set(Array.from({ length: 100 }, (_, i) => leaseAccount(`w${i}`)));
  let milliseconds = Date.UTC(2030);
  const ports = {
    leases: {
      rows: async () => ({ pool: emptyAccount('credits'), leases: [...open].map(idle) }),
      end: async ({ account }: { account: string }) => {
        milliseconds += 1_000;
        return open.delete(account);
      },
    },
    now: () => new Date(milliseconds),
    log: { info: () => undefined },
  };
  await returnIdleLeases(ports);
  expect(open.size).toBe(40);
  await returnIdleLeases(ports);
  expect(open.size).toBe(0);
});

test.each([
  ['is idle', {}, true],
  ['has an open job', { open_jobs: 1 }, false],
  ['holds money', { reserved: micros(1) }, false],
  ['was lent something an hour ago', { limits: { lifetime: lentAt('2029-12-31T23:00:00.000Z') } }, false],
  ['was lent something since', { limits: { lifetime: lentAt('2029-12-31T23:30:00.000Z') } }, false],
  ['was lent something a moment before', { limits: { lifetime: lentAt('2029-12-31T22:59:59.999Z') } }, true],
])('a lease that %s is returned: %p', async (_, fields, isReturned) => {
  const ended: string[] = [];
  const lease = { ...idle(leaseAccount('w')), ...fields };
  await returnIdleLeases({
    leases: {
      rows: async () => ({ pool: emptyAccount('credits'), leases: [lease] }),
      end: async ({ account }) => ended.push(account) > 0,
    },
    now: () => new Date(Date.UTC(2030)),
    log: { info: () => undefined },
  });
  expect(ended).toEqual(isReturned ? [lease.account] : []);
});
