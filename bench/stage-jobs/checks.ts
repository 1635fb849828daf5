import type { Account } from '../../functions/money/account.ts';
import { usdToMicros } from '../../functions/money/micros.ts';
import type { SeenJob } from './ended-jobs.ts';
import type { Kind } from './kinds.ts';
import type { Depth, Queues } from './queues.ts';
import type { Told } from './receiver.ts';

/** What was found wrong, one line for each problem. */
export type Problems = readonly string[];

const isFinal = (status: SeenJob['status']) => status !== 'pending' && status !== 'in_progress';

/** Jobs that are refused at their submit have ended before the others exist, so they do not count. */
export function wereInFlight(kinds: ReadonlyMap<string, Kind>, most: number): Problems {
  const expected = [...kinds.values()].filter(({ directives }) => directives.submit !== 402).length;
  return most < expected
    ? [`${most} at once, and not ${expected}: submits take longer than the sandbox`]
    : [];
}

export function asDemanded(kinds: ReadonlyMap<string, Kind>, jobs: readonly SeenJob[]): Problems {
  const seen = new Map(jobs.map((job) => [job.id, job]));
  return [...kinds].flatMap(([id, { name, status, reason, costMicros }]) => {
    const job = seen.get(id);
    if (job === undefined) return [`${id} (${name}) is not listed`];
    const cost = usdToMicros(job.usage?.cost ?? 0);
    const isRight = job.status === status && (reason?.test(job.error) ?? true) && cost === costMicros;
    const found = `${job.status} at ${cost} micro-dollars: ${job.error}`;
    return isRight ? [] : [`${id} (${name}) had to be ${status} at ${costMicros}, and is ${found}`];
  });
}

export function endedOnce(jobs: readonly SeenJob[]): Problems {
  return jobs
    .filter(({ status, history }) => history.filter(isFinal).length !== 1 || history.at(-1) !== status)
    .map(({ id, status, history }) => `${id} is ${status} after ${history.join(', ')}`);
}

export function toldOnce(told: ReadonlyMap<string, Told>, jobs: readonly SeenJob[]): Problems {
  return jobs.flatMap(({ id, status }) => {
    const events = [...(told.get(id) ?? [])];
    const isRight = events.length === 1 && events[0]?.[1].type === `video.generation.${status}`;
    const found = events.map(([event, { type }]) => `${event} ${type}`).join(', ');
    return isRight ? [] : [`${id} is ${status}, and its callback got: ${found || 'nothing'}`];
  });
}

export function moneyAddsUp(accounts: readonly Account[], jobs: readonly SeenJob[]): Problems {
  const cost = jobs.reduce((sum, { usage }) => sum + usdToMicros(usage?.cost ?? 0), 0);
  return accounts.flatMap(({ account, reserved, open_jobs, lifetime }) => {
    const { committed, spent } = lifetime ?? { committed: 0, spent: 0 };
    const isRight = reserved === 0 && open_jobs === 0 && committed === cost && spent === cost;
    const found = JSON.stringify({ reserved, open_jobs, committed, spent });
    // Not the whole id, because that of a key's account contains the hash.
    const [owner] = account.split('#');
    return isRight ? [] : [`${owner}: the jobs cost ${cost} micro-dollars, and the account says ${found}`];
  });
}

export async function noDeadLetters(queues: Queues): Promise<Problems> {
  const names = queues.names.filter((name) => name.endsWith('DeadLetters'));
  const depths = await Promise.all(names.map((name) => queues.depth(name)));
  return names.flatMap((name, i) => {
    const depth = JSON.stringify(depths[i]);
    return Object.values(depths[i] ?? {}).some((messages) => messages > 0) ? [`${name}: ${depth}`] : [];
  });
}

/** Messages that a worker was handling when the queue was emptied continued on their own, and do not count. */
export function wereSwept({ waiting, delayed }: Depth, overdue: number): Problems {
  const lost = waiting + delayed;
  return lost > 0 && overdue === 0 ? [`${lost} messages were deleted, and no job was found overdue`] : [];
}
