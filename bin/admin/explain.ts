import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Account, isClosed } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import type { Hold } from '../../functions/money/hold.ts';
import { formatUsd } from '../../functions/money/micros.ts';
import { quarantineNoteSchema } from '../../functions/sweeping/quarantined-rows.ts';
import { overdueRow, standingFailure } from '../../functions/sweeping/swept-rows.ts';
import { nextStepAt } from '../../functions/videos/jobs/cadence.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { COPY_PHASES, SUBMIT_PHASES } from '../../functions/videos/jobs/job-queue.ts';
import { requestId } from '../../functions/videos/jobs/job-request.ts';
import { salvageJob } from '../../functions/videos/jobs/salvage-job.ts';
import { GRACE_MILLISECONDS, JOB_ROWS } from '../../functions/videos/jobs/sweep-job.ts';
import { FigureStore } from '../../functions/videos/routing/figure-store.ts';
import { VIDEO_ID } from '../../functions/videos/video-id.ts';
import { eventIdOf, traceIdOf, webhookEventSchema } from '../../functions/webhooks/events/event.ts';
import { describeDelivery } from '../../functions/webhooks/events/shown-delivery.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';
import { findWorkers, workerLine } from './workers.ts';

/** The workers that move jobs and send their webhooks. */
const CONCERNED = [
  'submit-jobs',
  'poll-videos',
  'copy-videos',
  'deliver-events',
  'sweep-jobs',
  'sweep-events',
];

export const explainCommand = (admin: Admin) =>
  adminCommand(
    'explain',
    `Shows the state of a job: next step, stored fields, history, holds and workers, and the delivery attempts of its webhook
and its trace. Omits prompts, and all URLs except those in errors of the provider.`,
    ['incident explain vid_01jg000000000000000000000a --stage prod'],
  )
    .argument('<job>', 'ID of the job')
    .action(async (id, asked) => {
      const deployment = await admin.open(asked.stage);
      const facts = VIDEO_ID.test(id) ? await factsOf(id, deployment) : undefined;
      if (facts === undefined) throw new CommandFailed(`There is no job ${id}`);
      for (const line of explanation({ ...facts, where: admin.optionsOf(asked) }, admin.now()))
        admin.print(line);
    });

/** Of a damaged row the rest is shown. */
const toldSchema = v.object({ webhook_id: v.fallback(v.optional(v.string()), undefined) });

async function factsOf(id: string, deployment: Deployment): Promise<Omit<JobFacts, 'where'> | undefined> {
  const { client, output } = deployment;
  const read = async (table: string, key: string) => {
    const asked = { TableName: output(table), Key: { id: key }, ConsistentRead: true };
    return (await client.send(new GetCommand(asked))).Item;
  };
  const event = eventIdOf(id);
  const row = await read('JobsTable', id);
  if (row === undefined) return undefined;
  const told = await read('EventsTable', event);
  const { webhook_id } = v.parse(toldSchema, told ?? {});
  const [request, trace, accounts, workers, restsUntil] = await Promise.all([
    read('JobsTable', requestId({ id })),
    read('EventsTable', traceIdOf(webhook_id ?? event)),
    accountsOf(row, deployment),
    findWorkers(deployment),
    restOf(row, deployment),
  ]);
  const concerned = CONCERNED.flatMap((name) => workers.filter((worker) => worker.name === name));
  const paused = concerned.filter(({ isRunning }) => !isRunning).map(({ name }) => name);
  return {
    row,
    hasRequest: request !== undefined,
    accounts,
    event: told,
    trace,
    workers: await Promise.all(concerned.map((worker) => workerLine(worker, deployment.sqs))),
    paused,
    restsUntil,
  };
}

/** Until when the job's provider rests, for all workspaces or for the job's own. */
async function restOf(row: Row, { client, output }: Deployment): Promise<number> {
  const { provider, workspace_id } = salvageJob(row).job;
  const figures = await new FigureStore(client, output('FiguresTable')).readAll();
  const { restsUntil = 0, ownRest } = figures.get(provider ?? '') ?? {};
  return ownRest?.workspace_id === workspace_id ? Math.max(restsUntil, ownRest.until) : restsUntil;
}

async function accountsOf(row: Record<string, unknown>, { client, output }: Deployment) {
  const store = new AccountStore(client, output('AccountsTable'));
  const { holds } = salvageJob(row).job;
  const readings = holds.map(({ account }) => store.readOne(account).catch(unreadable));
  return (await Promise.all(readings)).filter((account) => account !== undefined);
}

function unreadable(error: unknown): undefined {
  if (!(error instanceof v.ValiError)) throw error;
}

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
  /** The names of those that are paused. */
  readonly paused: readonly string[];
  /** Until when its provider rests, in milliseconds since the epoch. */
  readonly restsUntil: number;
  /** The options of commands for its stage: without them they would act on another. */
  readonly where: string;
}

/** A job on one screen: its state, its next step, and everything that could block it. */
export function explanation(facts: JobFacts, now: Date): string[] {
  const { row, accounts, event, trace, workers } = facts;
  const { job, unread } = salvageJob(row);
  return [
    `${job.id}  ${job.status}`,
    ...section('next', prospect(job, facts, now)),
    ...section('job', jobLines(job, unread, facts.hasRequest)),
    ...section('history', job.history.map(milestoneLine)),
    ...section('money', moneyLines(job, accounts, now)),
    ...section('webhook', eventLines(event, WEBHOOK)),
    ...section('trace', trace === undefined ? [] : eventLines(trace, TRACE)),
    ...section('workers', workers),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(8)}  ${line}`);

function jobLines(job: Job, unread: readonly string[], hasRequest: boolean): string[] {
  const fields = {
    phase: `${job.phase} (submissions: ${job.submits}, polls: ${job.polls})`,
    model: job.model,
    endpoint: `${job.endpoint ?? job.provider ?? '-'}${job.is_byok ? ', with a provider key of the job’s workspace' : ''}`,
    alternatives: job.alternatives.map(({ endpoint }) => endpoint).join(', '),
    upstream: job.upstream_id,
    generation: job.generation_id,
    workspace: job.workspace_id,
    key: job.key_hash,
    created: job.created_at,
    updated: job.updated_at,
    deadline: new Date(job.deadline_at).toISOString(),
    'cancel requested': job.cancel_requested_at,
    error: job.error,
    'copy error': job.copy_error,
    unreadable: unread.join(', '),
    missing: hasRequest || job.request !== undefined ? '' : 'the stored request for its provider',
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
  return `${held}, where ${all}${isClosed(account, now) ? '; this key or workspace is disabled, expired or deleted' : ''}`;
}

/** Where deliveries go that have no address of their own, and why there may be none. */
const WEBHOOK = {
  place: 'the default callback URL of its workspace',
  none: 'the event had no callback URL, and the default callback URL was missing or disabled',
};
const TRACE = {
  place: 'the destination of its workspace',
  none: 'the destination was missing or disabled, or its sampling, key list or filters excluded the job',
};

function eventLines(row: Row | undefined, { place, none }: typeof WEBHOOK): string[] {
  if (row === undefined) return ['none, usually because the job has not ended or its event has expired'];
  const read = v.safeParse(webhookEventSchema, row);
  if (!read.success) return [`${row.id}  its row cannot be read: ${v.summarize(read.issues)}`];
  const { id, type, status, host, next_attempt: next, next_attempt_at: at } = describeDelivery(read.output);
  const where = status === 'no_address' ? `: ${none}` : `, to ${host ?? place}`;
  return [
    `${id}  ${type}  ${status}${where}`,
    ...read.output.history.map(
      (attempt) =>
        `${attempt.at}  attempt ${attempt.attempt}: ${attempt.outcome}, ${attempt.milliseconds} ms`,
    ),
    ...(next === null ? [] : [`attempt ${next} is due at ${at}`]),
  ];
}

/** The worker that does the next step of a job in its phase. */
function workerOf({ phase }: Job): string {
  if (SUBMIT_PHASES.includes(phase)) return 'submit-jobs';
  return COPY_PHASES.includes(phase) ? 'copy-videos' : 'poll-videos';
}

/** What will happen to a job, and what blocks it, for somebody who wonders why it does not progress. */
export function prospect(
  job: Job,
  facts: Pick<JobFacts, 'row' | 'paused' | 'restsUntil' | 'where'>,
  now: Date,
): string[] {
  const { row, restsUntil, where } = facts;
  const note = v.safeParse(quarantineNoteSchema, row.quarantine);
  if (note.success) {
    const { at, reason } = note.output;
    return [
      `quarantined at ${at}: ${reason}`,
      `once the cause is fixed, run npx genway admin incident quarantine --release ${job.id} ${where} to let workers try again`,
    ];
  }
  if (row.active === undefined) return ['it has ended and has no next step'];
  const swept = overdueRow(row, JOB_ROWS);
  const failure = standingFailure(swept);
  const { waiting_for: wait, submit_error: submitError } = job;
  const submitFailed = submitError === undefined ? '' : `; an earlier submission failed: ${submitError}`;
  return [
    nextStep(job, swept.sweeps, facts, now),
    ...(wait == null ? [] : [`it waits until ${wait.until} (reason: ${wait.reason})${submitFailed}`]),
    ...(SUBMIT_PHASES.includes(job.phase) ? restLines(restsUntil, now) : []),
    ...(failure === undefined ? [] : [`${workerOf(job)} failed to process it: ${failure}`]),
    ...(job.deadline_at <= now.getTime()
      ? ['its deadline has passed; it should end at one of its next steps']
      : []),
  ];
}

function restLines(restsUntil: number, now: Date): string[] {
  if (restsUntil <= now.getTime()) return [];
  return [
    `its provider gave no usable response to five or more submissions in a row, and is resting until ${new Date(restsUntil).toISOString()}; a job without a failed submission may try it sooner`,
    'on AWS, the saved query failed-submits in CloudWatch shows the errors',
  ];
}

function nextStep(
  job: Job,
  sweeps: number,
  { paused, where }: Pick<JobFacts, 'paused' | 'where'>,
  now: Date,
): string {
  const worker = workerOf(job);
  if (paused.includes(worker)) return `${worker} ${pauseAdvice(worker, where)}`;
  const late = now.getTime() - nextStepAt(job, now);
  if (late < 0 && sweeps === 0)
    return `${worker} is due to take the job's next step within ${seconds(-late)} s`;
  if (late < GRACE_MILLISECONDS && sweeps === 0) {
    return `its next step has been due for ${seconds(late)} s; ${worker} has the job’s message, or will receive it soon`;
  }
  const sent =
    sweeps === 0 ? 'no other message' : `at most ${sweeps} other message${sweeps === 1 ? '' : 's'}`;
  const pause = paused.includes('sweep-jobs') ? `, and ${pauseAdvice('sweep-jobs', where)}` : '';
  return `its message was lost, still waits in the queue, or cannot be processed; sweep-jobs has sent ${sent}${pause}`;
}

const pauseAdvice = (worker: string, where: string): string =>
  `is paused: run npx genway admin incident resume ${worker} ${where} to let the job continue`;

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
