import { isDeepStrictEqual } from 'node:util';
import { CREDITS } from '../../functions/money/account.ts';
import type { Hold } from '../../functions/money/hold.ts';
import { isLease } from '../../functions/money/lease.ts';
import { INTERVALS, type Interval } from '../../functions/money/period.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';

/** The amounts that jobs hold in one account or have cost it. */
export interface Held {
  readonly open: number;
  readonly micros: number;
  /** The amounts of a period. */
  readonly counted: (
    interval: Interval,
    period: string,
  ) => { readonly spent: number; readonly byok: number; readonly committed: number };
}

/** The sums over all jobs by account. They are updated with each change of a job. */
export class HeldSums {
  readonly #sums = new Map<string, number>();

  /** @returns the accounts whose sums have changed */
  replace(before: Job | undefined, after: Job): readonly string[] {
    if (before !== undefined && holdTheSame(before, after)) return [];
    return [...this.#add(before, -1), ...this.#add(after, 1)];
  }

  of(accounts: readonly string[]): Held {
    const sum = (name: string) =>
      accounts.reduce((total, account) => total + (this.#sums.get(`${account} ${name}`) ?? 0), 0);
    return {
      open: sum('open'),
      micros: sum('micros'),
      counted: (interval, period) => ({
        spent: sum(`spent ${interval} ${period}`),
        byok: sum(`byok ${interval} ${period}`),
        committed: sum(`committed ${interval} ${period}`),
      }),
    };
  }

  #add(job: Job | undefined, sign: 1 | -1): readonly string[] {
    const { holds = [], phase, cost_micros: cost = 0, is_byok = false } = job ?? {};
    const isOpen = phase !== 'settled';
    for (const hold of holds) {
      const { account, micros, periods } = hold;
      const counted = isOpen ? micros : countedOf(hold, cost, is_byok);
      const add = (name: string, value: number) => {
        const place = `${account} ${name}`;
        this.#sums.set(place, (this.#sums.get(place) ?? 0) + sign * value);
      };
      if (isOpen) add('open', 1);
      if (isOpen) add('micros', micros);
      for (const interval of INTERVALS) {
        add(`${is_byok ? 'byok' : 'spent'} ${interval} ${periods[interval]}`, isOpen ? 0 : cost);
        add(`committed ${interval} ${periods[interval]}`, counted);
      }
    }
    return holds.map(({ account }) => account);
  }
}

/** What a job counts against limits. Credits pay for accounts of the deployment only. */
const countedOf = ({ account, counts_byok }: Hold, cost: number, isByok: boolean): number =>
  !isByok || (counts_byok && !isOfCredits(account)) ? cost : 0;

const isOfCredits = (account: string): boolean => account === CREDITS || isLease({ account });

const holdTheSame = (one: Job, other: Job): boolean =>
  (one.phase === 'settled') === (other.phase === 'settled') &&
  one.cost_micros === other.cost_micros &&
  one.is_byok === other.is_byok &&
  isDeepStrictEqual(one.holds, other.holds);

interface Counts {
  readonly jobs: number;
  readonly micros: number;
}

/** Compares the ended jobs with the reports about them. */
export class Reports {
  readonly #reports = new Map<string, Counts>();
  #jobs = 0;
  #micros = 0;
  #reportedJobs = 0;
  #reportedMicros = 0;

  replaceJob(before: Job | undefined, { phase, cost_micros }: Job): void {
    if (phase !== 'settled' || before?.phase === 'settled') return;
    this.#jobs++;
    this.#micros += cost_micros ?? 0;
  }

  replaceReport(id: string, row: Readonly<Record<string, unknown>>): void {
    const before = this.#reports.get(id) ?? { jobs: 0, micros: 0 };
    const after = { jobs: Number(row.jobs), micros: Number(row.micros) };
    this.#reports.set(id, after);
    this.#reportedJobs += after.jobs - before.jobs;
    this.#reportedMicros += after.micros - before.micros;
  }

  contradiction(): string | undefined {
    if (this.#jobs === this.#reportedJobs && this.#micros === this.#reportedMicros) return undefined;
    return `reports tell of ${this.#reportedJobs} ends and ${this.#reportedMicros}, not ${this.#jobs} and ${this.#micros}`;
  }
}
