import { endedOnce, moneyAddsUp, type Problems, toldOnce } from '../../bench/stage-jobs/checks.ts';
import type { SeenJob } from '../../bench/stage-jobs/ended-jobs.ts';
import type { Told } from '../../bench/stage-jobs/receiver.ts';
import type { AccountStore } from '../../functions/money/account-store.ts';
import { checkHistory } from '../histories/check-history.ts';
import { type Exchange, jobsIn } from '../histories/exchange.ts';
import type { Tenant } from './tenant.ts';

export interface Evidence {
  readonly tenants: readonly Tenant[];
  readonly history: readonly Exchange[];
  /** The reported ends by job. */
  readonly told: ReadonlyMap<string, Told>;
  readonly accounts: AccountStore;
}

/** All problems of the final state, one line each. */
export async function judge({ tenants, history, told, accounts }: Evidence): Promise<Problems> {
  const problems: string[] = [...checkHistory(history)];
  for (const tenant of tenants) {
    const jobs = await tenant.jobs();
    const ledger = await tenant.ledger(accounts);
    const own = [
      ...endedOnce(jobs),
      ...toldOnce(told, jobs),
      ...moneyAddsUp(ledger, jobs),
      ...lost(tenant, history, new Set(jobs.map(({ id }) => id))),
      ...twice(jobs),
    ];
    problems.push(...own.map((problem) => `${tenant.name}: ${problem}`));
  }
  return problems;
}

function lost({ name }: Tenant, history: readonly Exchange[], jobs: ReadonlySet<string>): Problems {
  const submits = history.filter(({ tenant, route }) => tenant === name && route === 'submit-video');
  const accepted = submits.flatMap(jobsIn).filter(({ id }) => !jobs.has(id));
  return accepted.map(({ id }) => `${id} was accepted and is lost`);
}

const twice = (jobs: readonly SeenJob[]): Problems =>
  [...Map.groupBy(jobs, ({ metadata }) => metadata.order)]
    .filter(([, same]) => same.length > 1)
    .map(([order, same]) => `${order} became ${same.map(({ id }) => id).join(' and ')}`);
