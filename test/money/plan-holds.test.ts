import { describe, expect, test } from '@jest/globals';
import { type ApiError, invalidKey, NotFound } from '../../functions/http/errors.ts';
import {
  type Account,
  CREDITS,
  emptyAccount,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../../functions/money/account.ts';
import { planHolds } from '../../functions/money/hold.ts';
import { leaseAccount } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { INTERVALS, periodOf } from '../../functions/money/period.ts';

const NOW = new Date('2030-01-02T00:00:00Z');
const at = NOW.toISOString();
const limit = (amount: number) => ({ micros: micros(amount), created_at: at, updated_at: at });
const account = (id: string, fields: Partial<Account> = {}): Account => ({ ...emptyAccount(id), ...fields });
const lifetime = (amount: number, committed = 0) => ({
  limits: { lifetime: limit(amount) },
  lifetime: { period: 'lifetime', committed: micros(committed), spent: micros(0), byok: micros(0) },
});

const key = account(keyAccount('k'));
const workspace = account(workspaceAccount('w'));
const pool = account(CREDITS, lifetime(100));
const lease = account(leaseAccount('w'), lifetime(10));
const charge = (amount: number, isByok = false) => ({ micros: micros(amount), isByok });
const plan = (accounts: readonly Account[], ...charges: ReturnType<typeof charge>[]) =>
  planHolds(accounts, charges, NOW);
const held = (accounts: readonly Account[], ...charges: ReturnType<typeof charge>[]) =>
  plan(accounts, ...charges).holds.map(({ hold }) => [hold.account, hold.micros]);

describe('a job', () => {
  test('holds the most that it may cost in each account', () => {
    const { at: when, holds, after, obstacle, shortLease } = plan([key, workspace], charge(3), charge(5));
    expect([when, obstacle, shortLease]).toEqual([NOW, undefined, undefined]);
    const periods = Object.fromEntries(INTERVALS.map((each) => [each, periodOf(each, NOW)]));
    expect(holds).toEqual(
      [key, workspace].map((each) => ({
        account: each,
        hold: { account: each.account, micros: 5, counts_byok: false, periods },
      })),
    );
    const counts = INTERVALS.map((each) => [
      each,
      { period: periodOf(each, NOW), committed: 5, spent: 0, byok: 0 },
    ]);
    expect(after).toEqual(
      [key, workspace].map((each) => ({
        ...each,
        ...Object.fromEntries(counts),
        reserved: 5,
        open_jobs: 1,
      })),
    );
  });

  test('on the caller’s own provider key holds nothing but where that counts', () => {
    const counting = { ...workspace, counts_byok: true };
    expect(held([key, counting], charge(5, true))).toEqual([
      [key.account, 0],
      [counting.account, 5],
    ]);
    expect(held([key, counting], charge(5, true), charge(3))).toEqual([
      [key.account, 3],
      [counting.account, 5],
    ]);
  });

  test('holds credits once some were granted, in the lease where there is one', () => {
    const none = account(CREDITS);
    expect(held([key, none], charge(5))).toEqual([[key.account, 5]]);
    expect(held([key, none, lease], charge(5))).toEqual([[key.account, 5]]);
    expect(held([key, pool], charge(5))).toEqual([
      [key.account, 5],
      [CREDITS, 5],
    ]);
    expect(held([key, pool, lease], charge(5))).toEqual([
      [key.account, 5],
      [lease.account, 5],
    ]);
    const { after } = plan([key, pool, lease], charge(5));
    expect(after[1]).toBe(pool);
    expect(after[2]).toMatchObject({ lifetime: { committed: 5 }, open_jobs: 1 });
  });

  test.each([
    ['has enough', lease, 10, false],
    ['has too little', lease, 11, true],
    ['has not begun', account(leaseAccount('w')), 5, true],
    ['has not begun, and it costs nothing', account(leaseAccount('w')), 0, true],
  ])('asks for more when its lease %s', (_, of, amount, isShort) => {
    const { shortLease, obstacle } = plan([key, pool, of], charge(amount));
    expect([shortLease, obstacle]).toEqual([isShort ? of : undefined, undefined]);
  });

  test.each<[string, Account, ApiError]>([
    ['a key that is closed', { ...key, closed: true }, invalidKey()],
    ['a key that ends now', { ...key, closes_at: at }, invalidKey()],
    ['a deleted workspace', { ...workspace, closed: true }, new NotFound('The workspace has been deleted')],
  ])('does not begin on %s', (_, closed, refusal) => {
    const { obstacle } = plan([closed], charge(0));
    expect([obstacle?.name, obstacle?.message]).toEqual([refusal.name, refusal.message]);
    const open = { ...closed, closed: false, closes_at: '2030-01-02T00:00:00.001Z' };
    expect(plan([open], charge(0)).obstacle).toBeUndefined();
  });

  test.each([
    [keyAccount('k'), 'key', 'the key’s daily limit'],
    [workspaceAccount('w'), 'workspace', 'the workspace’s daily budget'],
    [guardrailAccount('g'), 'guardrail', 'the guardrail’s daily limit'],
    [CREDITS, 'credits', 'the credits'],
  ])('that does not fit in %s is told where', (id, scope, name) => {
    const interval = id === CREDITS ? 'lifetime' : 'daily';
    const count = {
      period: periodOf(interval, NOW),
      committed: micros(6),
      spent: micros(0),
      byok: micros(0),
    };
    const full = account(id, { limits: { [interval]: limit(10) }, [interval]: count });
    expect(plan([full], charge(4)).obstacle).toBeUndefined();
    expect(plan([full], charge(5, true)).obstacle).toBeUndefined();
    const { obstacle } = plan([full], charge(5));
    expect(obstacle?.message).toBe(
      `The maximum cost of $0.000005 exceeds the remaining amount of ${name}: $0.000004 of $0.00001`,
    );
    expect(obstacle?.metadata).toEqual({
      scope,
      interval,
      estimate_usd: 0.000005,
      remaining_usd: 0.000004,
      limit_usd: 0.00001,
      resets_at: interval === 'daily' ? '2030-01-03T00:00:00.000Z' : undefined,
    });
  });
});
