import { expect, test } from '@jest/globals';
import { emptyAccount } from '../../functions/money/account.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { returnIdleLeases } from '../../functions/reconciling/return-leases.ts';

const at = '2029-01-01T00:00:00.000Z';
const long = { micros: micros(10), created_at: at, updated_at: at };
const idle = (account: string) => ({ ...emptyAccount(account), limits: { lifetime: long } });

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
