import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PaymentRequired } from '../../functions/http/errors.ts';
import {
  type Account,
  CREDITS,
  currentCount,
  emptyAccount,
  keyAccount,
  workspaceAccount,
} from '../../functions/money/account.ts';
import { INTERVALS } from '../../functions/money/period.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import type { JobLedger as Ledger } from '../contract/job-ledger.ts';
import { dynamo, TRIES } from '../tested-clients.ts';

const { JobMoved } = await import('../../functions/videos/jobs/job-steps.ts');
const { JobLedger, newGuardedOwner, newOwner } = await import('../contract/job-ledger.ts');

const CENT = 10_000;
const DAY = 86_400_000;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await JobLedger.create(dynamo);
});

describe('a job', () => {
  test('holds its estimate on the key and the workspace until it ends, and is then charged its cost', async () => {
    const owner = newOwner();
    const job = await ledger.accept(owner, 4 * CENT);
    for (const id of owner.accounts) {
      expect(await ledger.account(id)).toMatchObject({ reserved: 4 * CENT, open_jobs: 1 });
    }
    await ledger.settle(job, 3 * CENT);
    for (const id of owner.accounts) {
      const account = await ledger.account(id);
      expect(account).toMatchObject({ reserved: 0, open_jobs: 0 });
      for (const interval of INTERVALS) {
        expect(account[interval]).toMatchObject({ committed: 3 * CENT, spent: 3 * CENT, byok: 0 });
      }
    }
  });

  test('that does not complete costs nothing', async () => {
    const owner = newOwner();
    await ledger.settle(await ledger.accept(owner, 4 * CENT), undefined);
    const account = await ledger.account(keyAccount(owner.key));
    expect(account).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: 0, spent: 0 } });
  });

  test('is settled once, however often its end is written', async () => {
    const owner = newOwner();
    const job = await ledger.accept(owner, 4 * CENT);
    const ends = await Promise.allSettled(
      [CENT, 2 * CENT, undefined, 4 * CENT].map((cost) => ledger.settle(job, cost)),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(JobMoved);
    const { cost_micros: cost = 0 } = await ledger.job(job.id);
    expect(await ledger.account(keyAccount(owner.key))).toMatchObject({
      reserved: 0,
      open_jobs: 0,
      lifetime: { committed: cost, spent: cost },
    });
  });

  test('that is billed more than it held is charged what it held', async () => {
    const owner = newOwner();
    for (const account of owner.accounts) await ledger.limit(account, 'lifetime', 5 * CENT);
    const job = await ledger.accept(owner, 5 * CENT);
    await ledger.settle(job, 5 * CENT + 1);
    expect(await ledger.job(job.id)).toMatchObject({
      cost_micros: 5 * CENT,
      upstream_cost_micros: 5 * CENT + 1,
    });
    for (const account of owner.accounts) {
      expect(await ledger.account(account)).toMatchObject({
        lifetime: { committed: 5 * CENT, spent: 5 * CENT },
      });
    }
  });
});

describe('a limit', () => {
  test.each([...INTERVALS])(
    'over a %s interval accepts jobs that fit, to the last micro-dollar',
    async (interval) => {
      for (const account of [0, 1, 2] as const) {
        const owner = newGuardedOwner();
        await ledger.limit(owner.accounts[account], interval, 10 * CENT);
        await ledger.accept(owner, 10 * CENT - 1);
        await expect(ledger.accept(owner, 2)).rejects.toThrow(PaymentRequired);
        await ledger.accept(owner, 1);
        await expect(ledger.accept(owner, 1)).rejects.toMatchObject({
          status: 402,
          metadata: {
            scope: (['key', 'workspace', 'guardrail'] as const)[account],
            interval,
            estimate_usd: 0.000001,
            remaining_usd: 0,
            limit_usd: 0.1,
          },
        });
      }
    },
  );

  test('that is lowered, raised or removed counts at once, whatever was cached before', async () => {
    const owner = newOwner();
    await ledger.accept(owner, CENT);
    await ledger.limit(keyAccount(owner.key), 'monthly', CENT);
    await expect(ledger.accept(owner, 1)).rejects.toThrow(PaymentRequired);
    await ledger.limit(keyAccount(owner.key), 'monthly', 2 * CENT);
    await ledger.accept(owner, CENT);
    await expect(ledger.accept(owner, 1)).rejects.toThrow(PaymentRequired);
    await ledger.limit(keyAccount(owner.key), 'monthly', undefined);
    await ledger.accept(owner, CENT);
  });

  test('resets with its period, although nothing runs at midnight', async () => {
    const owner = newOwner();
    const later = await JobLedger.create(dynamo);
    await later.limit(workspaceAccount(owner.workspace), 'daily', CENT);
    await later.limit(workspaceAccount(owner.workspace), 'weekly', 3 * CENT);
    const first = await later.accept(owner, CENT);
    await expect(later.accept(owner, 1)).rejects.toMatchObject({
      metadata: { interval: 'daily', resets_at: '2030-01-02T00:00:00.000Z' },
    });
    later.now = new Date(later.now.getTime() + DAY);
    await later.accept(owner, CENT);
    // The job ends a day late. Yesterday's count is closed then, and the week's is not.
    await later.settle(first, undefined);
    const account = await later.account(workspaceAccount(owner.workspace));
    expect(account).toMatchObject({
      reserved: CENT,
      daily: { period: '2030-01-02', committed: CENT },
      weekly: { committed: CENT },
    });
    await expect(later.accept(owner, 1)).rejects.toThrow(PaymentRequired);
  });

  test('refuses a job without a trace of it', async () => {
    const owner = newOwner();
    await ledger.limit(workspaceAccount(owner.workspace), 'lifetime', CENT);
    await expect(ledger.accept(owner, 2 * CENT)).rejects.toThrow(PaymentRequired);
    const account = keyAccount(owner.key);
    expect(await ledger.account(account)).toEqual(emptyAccount(account));
  });
});

test('credits are enforced from the first grant on, over all workspaces', async () => {
  const own = await JobLedger.create(dynamo);
  await own.accept(newOwner(), 100 * CENT);
  await own.limit(CREDITS, 'lifetime', 3 * CENT);
  own.now = new Date(own.now.getTime() + 30_000);
  await own.accept(newOwner(), 2 * CENT);
  await expect(own.accept(newOwner(), 2 * CENT)).rejects.toThrow(
    /remaining amount of the credits: \$0.01 of \$0.03/,
  );
  await own.accept(newOwner(), CENT);
  expect(await own.credits()).toMatchObject({ reserved: 3 * CENT, open_jobs: 2 });
});

describe('two hundred submits at once with room for ten', () => {
  test.each([
    ...INTERVALS.map((interval) => [interval, 'budget', 1] as const),
    ['daily', 'limit of a guardrail', 2] as const,
  ])('against a %s %s: exactly ten are accepted, and nothing is left held', async (interval, _, which) => {
    const owner = newGuardedOwner();
    const limited = owner.accounts[which];
    await ledger.limit(limited, interval, 10 * CENT);
    const submits = await Promise.allSettled(Array.from({ length: 200 }, () => ledger.accept(owner, CENT)));
    const accepted = submits.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(accepted).toHaveLength(10);
    for (const each of submits)
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(PaymentRequired);
    expect(await ledger.account(limited)).toMatchObject({
      reserved: 10 * CENT,
      open_jobs: 10,
    });
    await Promise.all(accepted.map((job, index) => ledger.settle(job, index % 2 === 0 ? CENT : undefined)));
    const account = await ledger.account(limited);
    expect(account).toMatchObject({ reserved: 0, open_jobs: 0, [interval]: { committed: 5 * CENT } });
  });
});

/** Steps that change one owner's money, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('accept' as const), micros: fc.nat(3 * CENT) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      cost: fc.option(fc.nat(4 * CENT), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      account: fc.constantFrom(1 as const, 2 as const),
      interval: fc.constantFrom(...INTERVALS),
      micros: fc.option(fc.nat(12 * CENT), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Applies the same steps to the ledger and to two sums. */
class Model {
  readonly open: Job[] = [];
  readonly owner = newGuardedOwner();
  spent = 0;
  readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  async apply(next: Step): Promise<void> {
    switch (next.kind) {
      case 'accept': {
        const job = await this.ledger.accept(this.owner, next.micros).catch((error: unknown) => {
          expect(error).toBeInstanceOf(PaymentRequired);
        });
        if (job) this.open.push(job);
        return;
      }
      case 'settle': {
        const [job] = this.open.splice(next.which % Math.max(1, this.open.length), 1);
        if (job === undefined) return;
        await this.ledger.settle(job, next.cost);
        this.spent += Math.min(next.cost ?? 0, job.estimate_micros);
        return;
      }
      case 'limit':
        return this.ledger.limit(this.owner.accounts[next.account], next.interval, next.micros);
      case 'wait':
        this.ledger.now = new Date(this.ledger.now.getTime() + next.days * DAY);
    }
  }

  /** A job never lifts the committed amount above a limit. It is only above one after that limit was lowered. */
  async checkLimits(before: readonly Account[]): Promise<void> {
    for (const { account: id, ...was } of before) {
      const account = await this.ledger.account(id);
      for (const interval of INTERVALS) {
        const limit = account.limits[interval]?.micros ?? Number.POSITIVE_INFINITY;
        const { period, committed } = currentCount(account, interval, this.ledger.now);
        const earlier = was[interval]?.period === period ? was[interval].committed : 0;
        expect(committed).toBeLessThanOrEqual(Math.max(limit, earlier));
      }
    }
  }

  accounts(): Promise<Account[]> {
    return Promise.all(this.owner.accounts.map((id) => this.ledger.account(id)));
  }

  async check(): Promise<void> {
    for (const id of this.owner.accounts) {
      const account = await this.ledger.account(id);
      expect(account).toMatchObject({ reserved: sum(this.open), open_jobs: this.open.length });
      expect(currentCount(account, 'lifetime', this.ledger.now)).toMatchObject({
        committed: sum(this.open) + this.spent,
        spent: this.spent,
      });
      for (const interval of INTERVALS) {
        const { period, committed, spent } = currentCount(account, interval, this.ledger.now);
        const held = this.open.filter(({ holds }) => holds[0]?.periods[interval] === period);
        expect(committed).toBe(sum(held) + spent);
      }
    }
  }
}

const sum = (jobs: readonly Job[]) => jobs.reduce((total, { estimate_micros }) => total + estimate_micros, 0);

test('money is conserved by every step of every interleaving, and no limit is passed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const model = new Model(await JobLedger.create(dynamo));
      for (const next of steps) {
        const before = await model.accounts();
        await model.apply(next);
        await model.check();
        await model.checkLimits(before);
      }
    }),
    { numRuns: TRIES },
  );
});
