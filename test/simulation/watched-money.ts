import * as v from 'valibot';
import { type Account, accountSchema, CREDITS } from '../../functions/money/account.ts';
import type { Hold } from '../../functions/money/hold.ts';
import { isLease, lentTo, sum, wholeCredits } from '../../functions/money/lease.ts';
import { INTERVALS } from '../../functions/money/period.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { beforeEachCall, followTable, type Row } from './followed-tables.ts';
import type { Scene } from './scene.ts';

/** I4: accounts keep to their limits, and they and the reports count what jobs hold and have cost. */
export class WatchedMoney {
  readonly accounts = new Map<string, Account>();
  readonly #scene: Scene;
  readonly #reports = new Map<string, Row>();
  /** The accounts that have changed since the last check, or whose jobs have. */
  readonly #changed = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
    followTable(scene, 'Accounts', (id, row) => this.#onAccount(id, row));
    beforeEachCall(scene, () => this.check());
  }

  sawJob({ holds }: Job): void {
    for (const { account } of holds) this.#changed.add(account);
  }

  #onAccount(id: string, row: Row | undefined): void {
    this.#changed.add(id);
    if (id.startsWith('activity#')) this.#reports.set(id, row ?? {});
    if (row === undefined || !/^(key#|workspace#|guardrail#|lease#|credits$)/.test(id)) return;
    const account = v.parse(accountSchema, row);
    const before = this.accounts.get(id);
    this.accounts.set(id, account);
    for (const interval of INTERVALS) {
      const [was, is] = [before?.[interval], account[interval]];
      const limit = account.limits[interval]?.micros ?? Number.POSITIVE_INFINITY;
      const earlier = was?.period === is?.period ? (was?.committed ?? 0) : 0;
      if (is !== undefined && is.committed > Math.max(limit, earlier))
        this.#scene.violate('I4', `${id} commits ${is.committed} of ${limit} (${interval})`);
    }
  }

  /** Without a change all of it still holds. */
  check(): void {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed].flatMap((id) => this.accounts.get(id) ?? []);
    this.#changed.clear();
    for (const account of changed) {
      this.#checkHeld(account);
      if (!isOfCredits(account)) this.#checkCounts(account, [account.account]);
    }
    if (changed.some(isOfCredits)) this.#checkCredits();
    this.#checkReports();
  }

  /** What jobs hold in these accounts or have cost them. */
  #heldIn(accounts: readonly string[]): Held[] {
    return [...this.#scene.jobs.all.values()].flatMap((job) =>
      job.holds.filter(({ account }) => accounts.includes(account)).map((hold) => ({ job, hold })),
    );
  }

  #checkHeld({ account, reserved, open_jobs }: Account): void {
    const open = this.#heldIn([account]).filter(isOpen);
    const micros = total(open, ({ hold }) => hold.micros);
    if (reserved !== micros || open_jobs !== open.length)
      this.#scene.violate(
        'I4',
        `${account} has reserved ${reserved} for ${open_jobs}, not ${micros} for ${open.length}`,
      );
  }

  #checkCounts(account: Account, holders: readonly string[]): void {
    const all = this.#heldIn(holders);
    for (const interval of INTERVALS) {
      const count = account[interval];
      if (count === undefined) continue;
      const held = all.filter(({ hold }) => hold.periods[interval] === count.period);
      const [byok, others] = [held.filter(({ job }) => job.is_byok), held.filter(({ job }) => !job.is_byok)];
      const told = [count.committed, count.spent, count.byok];
      const right = [total(held, committedOf), total(others, costOf), total(byok, costOf)];
      if (told.join() !== right.join())
        this.#scene.violate('I4', `${account.account} counts ${told} (${interval}), not ${right}`);
    }
  }

  /**
   * Credits are lent in blocks, and the pool takes over what an ended lease has spent. So only the total is checked.
   */
  #checkCredits(): void {
    const pool = this.accounts.get(CREDITS);
    if (pool === undefined) return;
    const leases = [...this.accounts.values()].filter(isLease);
    const lent = sum(leases, lentTo);
    if (pool.leased !== lent)
      this.#scene.violate('I4', `credits have lent ${pool.leased}, and leases have ${lent}`);
    const whole = wholeCredits({ pool, leases }, this.#scene.world.clock.now());
    this.#checkCounts(whole, [CREDITS, ...leases.map(({ account }) => account)]);
  }

  #checkReports(): void {
    const ended = [...this.#scene.jobs.all.values()].filter(({ phase }) => phase === 'settled');
    const reports = [...this.#reports.values()];
    const told = [total(reports, ({ jobs }) => Number(jobs)), total(reports, ({ micros }) => Number(micros))];
    const right = [ended.length, total(ended, ({ cost_micros = 0 }) => cost_micros)];
    if (told.join() !== right.join())
      this.#scene.violate('I4', `reports tell of ${told[0]} ends and ${told[1]}, not ${right.join(' and ')}`);
  }
}

interface Held {
  readonly job: Job;
  readonly hold: Hold;
}

const isOpen = ({ job }: Held): boolean => job.phase !== 'settled';
const costOf = ({ job }: Held): number => (job.phase === 'settled' ? (job.cost_micros ?? 0) : 0);

/** What counts against limits. Credits pay for accounts of the deployment only. */
function committedOf(held: Held): number {
  const { job, hold } = held;
  if (isOpen(held)) return hold.micros;
  return !job.is_byok || (hold.counts_byok && !isOfCredits(hold)) ? costOf(held) : 0;
}

const isOfCredits = (of: Pick<Account, 'account'>): boolean => of.account === CREDITS || isLease(of);

const total = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((so, each) => so + of(each), 0);
