import { always, type PlantedBug } from './planted-bugs.ts';

const CANCEL = 'test/videos/worker/cancel-job.test.ts';
const SUBMIT = 'test/videos/worker/submit-job.test.ts';
const CLOSED_KEY = 'test/videos/worker/closed-key.test.ts';
const ROTATE = 'test/webhooks/settings/rotate-secret.test.ts';
const DELIVER = 'test/webhooks/delivery/deliver-event.test.ts';
const ROW_AUDITS = 'test/reconciling/row-audits.test.ts';
const PURGE_JOBS = 'test/videos/jobs/purge-jobs.test.ts';
const PURGE_WORKSPACE = 'test/workspaces/purge-workspace.test.ts';

/**
 * The fast tests must find each of these. Most break promises at the seams with vendors, with lost answers and with late
 * indexes. Of the others eight histories show nothing; some are about what the simulator does not judge.
 */
export const BUGS_FOR_TESTS: readonly PlantedBug[] = [
  {
    name: 'an unconfirmed job may go to another provider',
    from: '...(event.mayBeTaken ? { alternatives: [], may_be_taken: true } : {}),',
    to: '',
    tests: 'test/videos/jobs/job-machine.test.ts',
  },
  {
    name: 'a submit without an answer is sent again, although that bills twice',
    from: `case 'none':
      return job.settle(UNKNOWN_SUBMIT);`,
    to: `case 'none':
      return submitJob(job);`,
    tests: 'test/videos/worker/crash-points.test.ts',
  },
  {
    name: 'an unconfirmed submit does not count',
    from: "mayBeTaken: kind === 'ambiguous',",
    to: 'mayBeTaken: false,',
    tests: SUBMIT,
  },
  {
    name: 'an unconfirmed job is cancelled at once',
    from: "if (job.phase === 'queued' && job.may_be_taken !== true) {",
    to: "if (job.phase === 'queued') {",
    tests: CANCEL,
  },
  {
    name: 'a job at its provider is cancelled at once',
    from: "if (job.phase === 'queued' && job.may_be_taken !== true) {",
    to: "if (job.phase === 'submitting' || (job.phase === 'queued' && job.may_be_taken !== true)) {",
    tests: CANCEL,
  },
  {
    name: 'a redirect counts as a delivery',
    from: "status < 300) return { status: 'delivered' }",
    to: "status < 400) return { status: 'delivered' }",
    tests: 'test/webhooks/delivery/judge-answer.test.ts',
  },
  {
    name: 'a cost is counted in any current period',
    from: 'running.map((interval) => `#${interval}.#period = :${interval}`)',
    to: `running.map((interval) => \`${always('#${interval}.#period = :${interval}')}\`)`,
    tests: 'test/money/account-store.test.ts',
  },
  {
    name: 'the amount that a lease has spent is lost at its end',
    from: 'leased: minus(micros(0), lentTo(lease)), spent, byok }',
    to: 'leased: minus(micros(0), lentTo(lease)), spent: micros(0), byok }',
    tests: 'test/money/leases.test.ts',
  },
  {
    name: 'two equal requests at once are both carried out',
    from: "'attribute_not_exists(id) OR #until <= :now'",
    to: `'attribute_not_exists(id) OR ${always('#until <= :now')}'`,
    tests: 'test/gate/replay-store.test.ts',
  },
  {
    name: 'the wish to cancel is written after the provider was asked',
    from: 'const wished = await ports.steps.requestCancel(job, ports.now());',
    to: "const wished = prospect === 'open' ? job : await ports.steps.requestCancel(job, ports.now());",
    tests: CANCEL,
  },
  {
    name: 'work that its provider has stopped and forgotten is asked about until its deadline',
    from: 'return error.isGone && forgets && row.cancel_requested_at !== undefined;',
    to: 'return false;',
    tests: CANCEL,
  },
  {
    name: 'one 404 proves that work was stopped',
    from: 'row.missing_in_poll === row.polls;',
    to: 'row.polls >= 0;',
    tests: CANCEL,
  },
  {
    name: 'the answer with which a copy began does not count between two 404s',
    from: "inSeconds(event.delaySeconds, now, { phase: 'made', ...polled(job) })",
    to: "inSeconds(event.delaySeconds, now, { phase: 'made' })",
    tests: 'test/videos/jobs/job-machine.test.ts',
  },
  {
    name: 'one 404 makes a provider delete what may be finished',
    from: 'const delaySeconds = failedPollDelay(job.row.polls, MISSING_DELAY_SECONDS);',
    to: `await cancelUpstream(job.row, watched(job), { state: 'queued' });
  const delaySeconds = failedPollDelay(job.row.polls, MISSING_DELAY_SECONDS);`,
    tests: CANCEL,
  },
  {
    name: 'what a provider charges for cancelled work is lost',
    from: 'return job.settle({ ...CANCELLED, ...defined({ costMicros }) });',
    to: 'return job.settle(CANCELLED);',
    tests: CANCEL,
  },
  {
    name: 'a submit under a token is not sent again at the deadline',
    from: 'if (job.isOverdue && !canBeAsked && !canBeFound(job)) return expireJob(job);',
    to: 'if (job.isOverdue && !canBeAsked) return expireJob(job);',
    tests: SUBMIT,
  },
  {
    name: 'work that was accepted after the deadline has no time to end',
    from: 'return row.history.some(isLate) ? isBeyondLastWord : isOverdue;',
    to: 'return isOverdue;',
    tests: SUBMIT,
  },
  {
    name: 'a sweep prolongs the lease of a step',
    from: 'const until = Math.max(leased_until, sweeps === 0 ? due_at : 0);',
    to: 'const until = due_at;',
    tests: SUBMIT,
  },
  {
    name: 'a job of a closed key waits on for its provider',
    from: "if (job.row.phase === 'queued' && !(await mayStillSpend(job))) return endOfClosedKey(job);",
    to: '',
    tests: CLOSED_KEY,
  },
  {
    name: 'the copies of an attempt that failed stay',
    from: 'await removeAll(job, copies);',
    to: '',
    tests: 'test/videos/worker/copy-job.test.ts',
  },
  {
    name: 'pollers submit too, and wait for slow vendors',
    from: 'isToBeSubmitted(job) ? job.passOn(message) : advance(job)',
    to: 'advance(job)',
    tests: 'test/videos/worker/advance-job.test.ts',
  },
  {
    name: 'one workspace may occupy all submitters',
    from: 'if (!(await insist(() => shares.enter(mine, occupant, now), pause))) return waitForRoom(job, now);',
    to: '',
    tests: 'test/videos/worker/crowd.test.ts',
  },
  {
    name: 'one workspace may occupy all copiers',
    from: 'if (!hasRoom) this.#end.abort();',
    to: '',
    tests: 'test/videos/worker/crowd.test.ts',
  },
  {
    name: 'a long copy stays in the shares that it may have entered',
    from: '// It may have entered some of them.\n      return true;',
    to: 'return false;',
    tests: 'test/videos/worker/long-copy.test.ts',
  },
  {
    name: 'a share has no room for the one who has entered it unknowingly',
    from: 'return occupants.has(nameOf(occupant)) ? undefined : occupants;',
    to: 'return occupants;',
    tests: 'test/videos/worker/share-store.test.ts',
  },
  {
    name: 'one workspace may occupy all deliverers',
    from: 'Math.max(1, Math.floor(deliverers / 3))',
    to: 'deliverers',
    tests: 'test/webhooks/delivery/lane-limits.test.ts',
  },
  {
    name: 'a lane has no room for the one who has entered it unknowingly',
    from: 'return oldItem(error, laneSchema)?.holders.has(holder) ?? false;',
    to: 'return false;',
    tests: 'test/webhooks/delivery/lane-store.test.ts',
  },
  {
    name: 'retries to a failing host are never left out',
    from: 'if (attempt === 1 && (event.is_redelivery || event.type === TEST_EVENT)) return undefined;',
    to: 'if (attempt > 1 || event.is_redelivery || event.type === TEST_EVENT) return undefined;',
    tests: 'test/webhooks/delivery/open-circuit.test.ts',
  },
  {
    name: 'test events to a failing host are left out',
    from: '(event.is_redelivery || event.type === TEST_EVENT)',
    to: 'event.is_redelivery',
    tests: DELIVER,
  },
  {
    name: 'a circuit closes before its host has taken an event',
    from: 'streak.triedAt !== undefined || hasJustFailed(streak, now);',
    to: 'hasJustFailed(streak, now);',
    tests: 'test/webhooks/delivery/open-circuit.test.ts',
  },
  {
    name: 'a failing host is tried by all at once',
    from: "'attribute_exists(id) AND (attribute_not_exists(tried_at) OR tried_at <= :before)'",
    to: `'attribute_exists(id) AND ${always('tried_at <= :before')}'`,
    tests: 'test/webhooks/delivery/trial.test.ts',
  },
  {
    name: 'an event without a place spends the trial of a failing host',
    from: 'const place = await lanes.enter(lane,',
    to: `if (leftOut !== undefined)
    await streaks.takeTrial(lane.workspaceId, lane.host, begun, newRequestId());
  const place = await lanes.enter(lane,`,
    tests: DELIVER,
  },
  {
    name: 'a repeated rotation makes another secret',
    from: 'if (!hasMade(token, row)) return undefined;',
    to: 'return undefined;',
    tests: ROTATE,
  },
  {
    name: 'a rotation ends a secret before its time, because there are too many',
    from: 'if (overlapMilliseconds > 0 && retiring.length + 1 >= MOST_SECRETS)',
    to: 'if (retiring.length + 1 >= MOST_SECRETS) retiring.pop();\n    if (overlapMilliseconds < 0)',
    tests: ROTATE,
  },
  {
    name: 'the new end of a released job has the webhook-id of the old one',
    from: 'webhook_id: releasedAt === undefined ? undefined : idAfterRelease(job.id, releasedAt),',
    to: 'webhook_id: undefined,',
    tests: 'test/videos/jobs/quarantine.test.ts',
  },
  {
    name: 'the new end of a released job has the trace of the old one',
    from: 'traceIdOf(event.webhook_id ?? event.id)',
    to: 'traceIdOf(event.id)',
    tests: 'test/broadcast/trace.test.ts',
  },
  {
    name: 'an object is announced after it is stored',
    from: 'await announce();\n    return object.end();',
    to: 'const written = await object.end();\n    await announce();\n    return written;',
    tests: 'test/files/upload/receive-file.test.ts',
  },
  {
    name: 'an index that misses jobs lowers what is reserved',
    from: '...(this.#isProven ? { repair } : { isUnproven: true })',
    to: 'repair',
    tests: ROW_AUDITS,
  },
  {
    name: 'a job that moves on in the index counts twice',
    from: 'const unseen = keys.filter(({ id }) => !seen.has(id));',
    to: 'const unseen = keys;',
    tests: ROW_AUDITS,
  },
  {
    name: 'an index that misses rows ends a list',
    from: 'const wrong = places.filter((place) => rows[place] !== whole.entries[place]);',
    to: 'const wrong = places;',
    tests: 'test/reconciling/list-audit.test.ts',
  },
  {
    name: 'the purge of a workspace leaves what Bedrock has written',
    from: 'await Promise.all(jobs.map((job) => this.#ports.removeUpstream(job)));',
    to: '',
    tests: PURGE_JOBS,
  },
  {
    name: 'the purge of a workspace leaves what a provider has said',
    from: '{ error: ERROR }',
    to: '{ error: job.error }',
    tests: PURGE_JOBS,
  },
  {
    name: 'the purge of a workspace goes on while one of its jobs runs',
    from: 'if (!(await stripJobs(removal, deadline, ports))) return false;',
    to: 'await stripJobs(removal, deadline, ports);',
    tests: PURGE_WORKSPACE,
  },
  {
    name: 'the purge of a workspace leaves the traces of its events',
    from: 'return [...told.map((each) => ({ id: traceIdOf(String(each)) })), { id }];',
    to: 'return [{ id }];',
    tests: 'test/workspaces/purged-rows.test.ts',
  },
  {
    name: 'the same deleted workspace is always the first',
    from: 'const first = Math.floor(now().getTime() / MINUTE) % all.length;',
    to: 'const first = 0;',
    tests: PURGE_WORKSPACE,
  },
  {
    name: 'a workspace that refuses shared accounts gets them',
    from: 'return isOwnOnly || usable?.is_required === true;',
    to: 'return usable?.is_required === true;',
    tests: 'test/videos/routing/accounts.test.ts',
  },
];
