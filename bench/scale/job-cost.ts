import type { Call } from '../../test/engines/index.ts';
import { hotRows } from './hot-rows.ts';
import type { JobCost } from './limits.ts';
import { measureJobs, measureReads, type Used, type Work } from './measure-jobs.ts';

const JOBS = 10;

/** What one job uses. */
export async function costOfJob(work: Work): Promise<JobCost> {
  const { calls, writeUnits, logBytes } = await measureJobs(JOBS, work);
  const sentTo = (queue: string) =>
    calls.filter(
      ({ operation, input }) => operation === 'SendMessage' && JSON.stringify(input).includes(`/${queue}"`),
    ).length / JOBS;
  const units = [...writeUnits].map(([name, all]) => [name, all / JOBS] as const);
  return {
    requests: work.callsBack === true ? 2 : 1,
    messages: {
      submitter: sentTo('Videos-Submits'),
      poller: sentTo('Videos-Queue'),
      copier: sentTo('Videos-Copies'),
      deliverer: sentTo('Webhooks-Queue'),
    },
    reads: reads(calls) / JOBS,
    moves: calls.filter(isMove).length / JOBS,
    writeUnits: new Map(units.filter(([, count]) => count > 0)),
    logBytes: logBytes / JOBS,
    rows: hotRows(calls, JOBS),
  };
}

/** @param seconds how long the provider takes */
export const costOfJobs = async (seconds: number) => ({
  polled: await costOfJob({ seconds }),
  called: await costOfJob({ seconds, callsBack: true }),
});

function isMove({ operation, input }: Call): boolean {
  const text = JSON.stringify(input);
  return operation === 'UpdateItem' && text.includes('"Videos-Jobs"') && text.includes('"due_at"');
}

/** What one request uses that asks for a job. */
export type ReadCost = Readonly<Record<'reads' | 'writeUnits' | 'logBytes', number>>;

export async function costOfRead(): Promise<ReadCost> {
  const { calls, writeUnits, logBytes }: Used = await measureReads(JOBS);
  const units = [...writeUnits.values()].reduce((sum, count) => sum + count, 0);
  return { reads: reads(calls) / JOBS, writeUnits: units / JOBS, logBytes: logBytes / JOBS };
}

function reads(calls: readonly Call[]): number {
  return calls.filter(({ operation }) => ['GetItem', 'BatchGetItem', 'Query'].includes(operation)).length;
}
