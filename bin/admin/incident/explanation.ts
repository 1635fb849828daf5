import * as v from 'valibot';
import { type Account, isClosed } from '../../../functions/money/account.ts';
import type { Hold } from '../../../functions/money/hold.ts';
import { formatUsd } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { salvageJob } from '../../../functions/videos/jobs/salvage-job.ts';
import { webhookEventSchema } from '../../../functions/webhooks/events/event.ts';
import { describeDelivery } from '../../../functions/webhooks/events/shown-delivery.ts';
import { prospect } from './prospect.ts';

type Row = Readonly<Record<string, unknown>>;

/** All data about a job. */
export interface JobFacts {
  readonly row: Row;
  /** The request to its provider is a separate row. */
  readonly hasRequest: boolean;
  /** The accounts that hold money for it; an account that cannot be read is missing. */
  readonly accounts: readonly Account[];
  /** The outbox rows of its end: for its receiver, and for a trace collector. */
  readonly event: Row | undefined;
  readonly trace: Row | undefined;
  /** One line for each worker that moves it or sends its webhook. */
  readonly workers: readonly string[];
}

/** A job on one screen: its state, its next step, and everything that could block it. */
export function explanation(facts: JobFacts, now: Date): string[] {
  const { row, accounts, event, trace, workers } = facts;
  const { job, unread } = salvageJob(row);
  return [
    `${job.id}  ${job.status}`,
    ...section('next', prospect(job, row, now)),
    ...section('job', jobLines(job, unread, facts.hasRequest)),
    ...section('history', job.history.map(milestoneLine)),
    ...section('money', moneyLines(job, accounts, now)),
    ...section('webhook', eventLines(event)),
    ...section('trace', trace === undefined ? [] : eventLines(trace)),
    ...section('workers', workers),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(8)}  ${line}`);

function jobLines(job: Job, unread: readonly string[], hasRequest: boolean): string[] {
  const fields = {
    phase: `${job.phase}, after ${job.submits} submits and ${job.polls} polls`,
    model: job.model,
    endpoint: `${job.endpoint ?? job.provider ?? '-'}${job.is_byok ? ', on the key of its workspace' : ''}`,
    'next endpoints': job.alternatives.map(({ endpoint }) => endpoint).join(', '),
    upstream: job.upstream_id,
    generation: job.generation_id,
    workspace: job.workspace_id,
    key: job.key_hash,
    created: job.created_at,
    updated: job.updated_at,
    deadline: new Date(job.deadline_at).toISOString(),
    'to cancel': job.cancel_requested_at,
    error: job.error,
    'copy error': job.copy_error,
    unreadable: unread.join(', '),
    missing: hasRequest || job.request !== undefined ? '' : 'the request to its provider',
  };
  return Object.entries(fields).flatMap(([name, value = '']) => (value === '' ? [] : [`${name}: ${value}`]));
}

const milestoneLine = ({ at, status, endpoint, detail }: Job['history'][number]): string =>
  [at, status, endpoint, detail].filter((part) => part !== undefined).join('  ');

function moneyLines(job: Job, accounts: readonly Account[], now: Date): string[] {
  const cost = job.cost_micros === undefined ? [] : [`cost ${formatUsd(job.cost_micros)}`];
  return [
    `estimated ${formatUsd(job.estimate_micros)}`,
    ...cost,
    ...job.holds.map(
      (hold) => `${job.phase === 'settled' ? 'held' : 'holds'} ${holdLine(hold, accounts, now)}`,
    ),
  ];
}

function holdLine({ account: id, micros }: Hold, accounts: readonly Account[], now: Date): string {
  const account = accounts.find((each) => each.account === id);
  const held = `${formatUsd(micros)} in ${id}`;
  if (account === undefined) return `${held}, whose row cannot be read`;
  const all = `${formatUsd(account.reserved)} is held in total (open jobs: ${account.open_jobs})`;
  return `${held}, where ${all}${isClosed(account, now) ? '; it is closed' : ''}`;
}

function eventLines(row: Row | undefined): string[] {
  if (row === undefined) return ['none: the job has not ended'];
  const read = v.safeParse(webhookEventSchema, row);
  if (!read.success) return [`${row.id}  its row cannot be read: ${v.summarize(read.issues)}`];
  const { id, type, status, host, next_attempt: next, next_attempt_at: at } = describeDelivery(read.output);
  return [
    `${id}  ${type}  ${status}, to ${host ?? 'the address of its workspace'}`,
    ...read.output.history.map(
      (attempt) =>
        `${attempt.at}  attempt ${attempt.attempt}: ${attempt.outcome}, ${attempt.milliseconds} ms`,
    ),
    ...(next === null ? [] : [`attempt ${next} is due at ${at}`]),
  ];
}
