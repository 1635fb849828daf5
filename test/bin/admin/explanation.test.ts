import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { stageOptions } from '../../../bin/admin/admin.ts';
import { explanation, type JobFacts, prospect } from '../../../bin/admin/explain.ts';
import { accountSchema } from '../../../functions/money/account.ts';
import { holdOf } from '../../../functions/money/hold.ts';
import { micros } from '../../../functions/money/micros.ts';
import { quarantinedRow } from '../../../functions/sweeping/quarantined-rows.ts';
import { jobSchema } from '../../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../../functions/videos/jobs/job-event.ts';
import { aJob, START } from '../../videos/jobs/job-fixture.ts';

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const rowOf = (change: object = {}) => ({ ...aJob(), active: 'active-1', ...change });
const nextOf = (row: Record<string, unknown>, now: Date, paused: readonly string[] = [], restsUntil = 0) =>
  prospect(v.parse(jobSchema, row), { row, paused, restsUntil, where: '--stage x' }, now).join('\n');

describe('what comes next', () => {
  const due = { due_at: at(60).getTime(), deadline_at: at(3600).getTime() };
  test.each([
    ['a submit', due, 30, /^submit-jobs is due to take the job's next step within 30 s$/],
    [
      'a poll',
      { ...due, phase: 'polling', polls: 8 },
      30,
      /^poll-videos is due to take the job's next step within 10 s$/,
    ],
    ['a copy', { ...due, phase: 'made' }, 30, /^copy-videos is due to take the job's next step within 30 s$/],
    ['a step that is due', due, 60, /^its next step has been due for 0 s; submit-jobs has the job’s message/],
    ['the last moment of the grace time', due, 149.9, /^its next step has been due for 90 s/],
    [
      'a step that is overdue',
      due,
      150,
      /^its message was lost, still waits in the queue, or cannot be processed; sweep-jobs has sent no other message/,
    ],
    ['a step that was swept', { ...due, sweeps: 2 }, 60, /has sent at most 2 other messages/],
    ['a sweep that is not due yet', { ...due, sweeps: 2 }, 30, /has sent at most 2 other messages/],
    [
      'a failure',
      { ...due, failure: 'no grant', failed_step: '' },
      30,
      /\nsubmit-jobs failed to process it: no grant$/,
    ],
    ['a failure that was overcome', { ...due, failure: 'no grant', failed_step: 'x' }, 30, /30 s$/],
    [
      'a wait',
      { ...due, waiting_for: { reason: 'rate_limit', until: 'then' } },
      30,
      /\nit waits until then \(reason: rate_limit\)$/,
    ],
    [
      'a wait after a submit that failed',
      { ...due, waiting_for: { reason: 'provider_paused', until: 'then' }, submit_error: 'HTTP 500' },
      30,
      /\nit waits until then \(reason: provider_resting\); an earlier submission failed: HTTP 500$/,
    ],
    ['a wait that is over', { ...due, waiting_for: null }, 30, /30 s$/],
    ['the last moment before the deadline', due, 3599.9, /sweep-jobs has sent no other message$/],
    ['a deadline', due, 3600, /\nits deadline has passed; it should end at one of its next steps$/],
    ['an end', { active: undefined, phase: 'settled' }, 30, /^it has ended and has no next step$/],
  ])('%s', (_, change, seconds, sentence) => {
    expect(nextOf(rowOf(change), at(seconds))).toMatch(sentence);
  });

  test.each([
    ['a submit', due, 'submit-jobs'],
    ['a poll', { ...due, phase: 'polling' }, 'poll-videos'],
    ['a copy', { ...due, phase: 'made' }, 'copy-videos'],
  ])('%s whose worker is paused, and how to resume it', (_, change, worker) => {
    const others = ['submit-jobs', 'poll-videos', 'copy-videos'].filter((other) => other !== worker);
    for (const seconds of [30, 60, 150]) {
      expect(nextOf(rowOf(change), at(seconds), others)).not.toContain('paused');
      expect(nextOf(rowOf(change), at(seconds), [worker])).toBe(
        `${worker} is paused: run npx genway admin incident resume ${worker} --stage x to let the job continue`,
      );
    }
  });

  test('a lost message while the sweeper that would send another is paused', () => {
    const paused = ['sweep-jobs'];
    expect(nextOf(rowOf(due), at(149.9), paused)).not.toContain('paused');
    expect(nextOf(rowOf({ ...due, sweeps: 2 }), at(150), paused)).toBe(
      'its message was lost, still waits in the queue, or cannot be processed; sweep-jobs has sent at most 2 other messages, and is paused: run npx genway admin incident resume sweep-jobs --stage x to let the job continue',
    );
  });

  test('the rest of a provider, for a job that it does not have', () => {
    const restsUntil = at(40).getTime();
    const told =
      /\nits provider gave no usable response to five or more submissions .* resting until 2026-01-01T00:00:40\.000Z;/;
    expect(nextOf(rowOf(due), at(39), [], restsUntil)).toMatch(told);
    expect(nextOf(rowOf(due), at(40), [], restsUntil)).not.toMatch(told);
    expect(nextOf(rowOf({ ...due, phase: 'polling' }), at(39), [], restsUntil)).not.toMatch(told);
  });

  test('a quarantine, and how to release the job', () => {
    const row = quarantinedRow(
      rowOf(),
      { status: 'failed', phase: 'settled' },
      'its row cannot be read: x',
      at(9),
    );
    expect(nextOf(row, at(10))).toBe(
      `quarantined at ${at(9).toISOString()}: its row cannot be read: x\n` +
        `once the cause is fixed, run npx genway admin incident quarantine --release ${aJob().id} --stage x to let workers try again`,
    );
  });
});

test.each([
  [{ stage: 'prod' }, '--stage prod'],
  [{ stage: 'dev', stack: 'Media' }, '--stack Media'],
  [{ stage: 'dev', config: '/my stages/prod.jsonc' }, "--config '/my stages/prod.jsonc'"],
  [{ stage: 'local', state: '/tmp/second' }, '--state /tmp/second'],
])('commands that are printed for %j act on that stage', (asked, options) => {
  expect(stageOptions(asked)).toBe(options);
});

describe('the screen', () => {
  const account = v.parse(accountSchema, { account: 'workspace#ws-1', reserved: 500_000, open_jobs: 3 });
  const holds = [holdOf(account, [{ micros: micros(40_000), isByok: false }], START)];
  const facts: JobFacts = {
    row: rowOf({ holds, upstream_id: 'up-1' }),
    hasRequest: true,
    accounts: [account],
    event: undefined,
    trace: undefined,
    workers: ['poll-videos       running'],
    paused: [],
    restsUntil: 0,
    where: '--stage x',
  };
  const screen = (change: Partial<JobFacts> = {}) => explanation({ ...facts, ...change }, at(0)).join('\n');

  test('of a job under way', () => {
    const { id } = aJob();
    expect(screen()).toBe(`${id}  pending
  next      its next step has been due for 0 s; submit-jobs has the job’s message, or will receive it soon
  job       phase: queued (submissions: 0, polls: 0)
            model: sandbox/clip-1
            endpoint: sandbox/clip-1
            upstream: up-1
            workspace: ws-1
            key: hash
            created: 2026-01-01T00:00:00.000Z
            updated: 2026-01-01T00:00:00.000Z
            deadline: ${new Date(aJob().deadline_at).toISOString()}
  history   2026-01-01T00:00:00.000Z  pending
  money     estimated $${aJob().estimate_micros / 1_000_000}
            holds $0.04 in workspace#ws-1, where $0.50 is held in total (open jobs: 3)
  webhook   none, usually because the job has not ended or its event has expired
  workers   poll-videos       running`);
  });

  test('of an ended job shows what it held', () => {
    expect(screen({ row: rowOf({ holds, phase: 'settled', status: 'failed' }) })).toContain(
      '            held $0.04 in workspace#ws-1, where $0.50 is held in total (open jobs: 3)\n',
    );
  });

  test('of a job whose event had no URL', () => {
    const event = { ...settlementEvent(aJob({ status: 'failed' }), START), status: 'no_address' };
    expect(screen({ event })).toContain(
      'video.generation.failed  no_address: the event had no callback URL, and the default callback URL was missing or disabled\n',
    );
  });

  test('shows neither prompts nor complete addresses', () => {
    const event = settlementEvent(
      aJob({ status: 'failed', callback_url: 'https://receiver.example/secret' }),
      START,
    );
    const told = screen({ event, row: rowOf({ callback_url: 'https://receiver.example/secret' }) });
    expect(told).toContain('receiver.example');
    expect(told).not.toMatch(/A fox|secret/);
  });

  test('of the webhook about its end: each attempt, and the next one', () => {
    const attempt = { at: at(5).toISOString(), attempt: 1, outcome: '5xx', milliseconds: 12 };
    const event = {
      ...settlementEvent(aJob({ status: 'failed' }), START),
      history: [attempt],
      attempts: 1,
      due_at: at(65).getTime(),
    };
    expect(screen({ event })).toContain(`
  webhook   ${event.id}  video.generation.failed  pending, to receiver.example
            ${at(5).toISOString()}  attempt 1: 5xx, 12 ms
            attempt 2 is due at ${at(65).toISOString()}
`);
    expect(screen({ trace: { ...event, id: 'trc_1', status: 'delivered' } })).toMatch(
      /\n {2}trace {5}trc_1 /,
    );
    const unsent = { ...event, status: 'no_address' };
    expect(screen({ event: unsent, trace: unsent })).toMatch(
      /webhook .*: the event had no callback URL[\s\S]*trace .*: the destination was missing or disabled, or its sampling/,
    );
  });

  test.each([
    ['a field of the row', { row: rowOf({ polls: 'many', holds: [] }) }, 'unreadable: polls'],
    [
      'the request',
      { hasRequest: false, row: rowOf({ request: undefined }) },
      'missing: the stored request for its provider',
    ],
    ['an account', { accounts: [] }, 'in workspace#ws-1, whose row cannot be read'],
    ['the event', { event: { id: 'msg_1' } }, 'msg_1  its row cannot be read: '],
    [
      'a closed account',
      { accounts: [{ ...account, closed: true }] },
      '(open jobs: 3); this key or workspace is disabled, expired or deleted',
    ],
  ])('says what is wrong with %s', (_, change, sentence) => {
    expect(screen(change)).toContain(sentence);
  });
});
