import { always, type PlantedBugs } from './planted-bugs.ts';

/**
 * Bugs by the fast test that must find them. Most break promises at the seams with vendors, with lost answers and with late
 * indexes. Of the others eight histories show nothing; some are about what the simulator does not judge.
 */
export const BUGS_FOR_TESTS: Readonly<Record<string, PlantedBugs>> = {
  'test/videos/jobs/job-machine.test.ts': {
    'an unconfirmed job may go to another provider': [
      '...(event.mayBeTaken ? { alternatives: [], may_be_taken: true } : {}),',
      '',
    ],
    'the answer with which a copy began does not count between two 404s': [
      "inSeconds(event.delaySeconds, now, { phase: 'made', ...polled(job) })",
      "inSeconds(event.delaySeconds, now, { phase: 'made' })",
    ],
    'a job whose polls are not written is swept although its chain goes on': [
      'left < delaySeconds * 1000 || left > LINK_SECONDS * 1000',
      'left > LINK_SECONDS * 1000',
    ],
    'an answer between two 404s is forgotten, because it was not written': [
      ' || job.cancel_requested_at !== undefined',
      '',
    ],
  },
  'test/videos/worker/crash-points.test.ts': {
    'a submit without an answer is sent again, although that bills twice': [
      `case 'none':
      return job.settle(UNKNOWN_SUBMIT);`,
      `case 'none':
      return submitJob(job);`,
    ],
  },
  'test/videos/worker/submit-job.test.ts': {
    'an unconfirmed submit does not count': ["mayBeTaken: kind === 'ambiguous',", 'mayBeTaken: false,'],
    'a submit under a token is not sent again at the deadline': [
      '!canBeAsked && !canBeFound(job)',
      '!canBeAsked',
    ],
    'work that was accepted after the deadline has no time to end': [
      'return row.history.some(isLate) ? isBeyondLastWord : isOverdue;',
      'return isOverdue;',
    ],
    'a sweep prolongs the lease of a step': ['Math.max(leased_until, sweeps === 0 ? due_at : 0)', 'due_at'],
  },
  'test/videos/worker/hint.test.ts': {
    'a callback of an earlier submit has the provider asked': [
      "return job.phase !== 'polling' || job.submits !== hint;",
      "return job.phase !== 'polling';",
    ],
    'a hint is lost to a poll that came too early': [
      'if (message.hint !== undefined) return moveJob(message, given, phases, step);',
      '',
    ],
    'a hint begins a second chain': [
      'message.hint === undefined ? job.due_at : ports.now().getTime();',
      'job.due_at;',
    ],
    'a job is left alone although its provider has called': [
      "calls_back === 'reliably' && callbacks === 0;",
      "calls_back === 'reliably';",
    ],
  },
  'test/videos/callbacks/receive-callback.test.ts': {
    'each repetition of a callback has the provider asked': [
      'const MOST_CALLBACKS = 3;',
      'const MOST_CALLBACKS = 3e9;',
    ],
    'a body without a signature is believed': [
      'keys.length > 0 && !isSignedCallback(',
      'false && !isSignedCallback(',
    ],
  },
  'test/videos/worker/cancel-job.test.ts': {
    'an unconfirmed job is cancelled at once': [
      "=== 'queued' && job.may_be_taken !== true) {",
      "=== 'queued') {",
    ],
    'a job at its provider is cancelled at once': [
      "if (job.phase === 'queued' && job.may_be_taken !== true) {",
      "if (job.phase === 'submitting' || (job.phase === 'queued' && job.may_be_taken !== true)) {",
    ],
    'the wish to cancel is written after the provider was asked': [
      'const wished = await ports.steps.requestCancel(job, ports.now());',
      "const wished = prospect === 'open' ? job : await ports.steps.requestCancel(job, ports.now());",
    ],
    'work that its provider has stopped and forgotten is asked about until its deadline': [
      'return error.isGone && forgets && row.cancel_requested_at !== undefined;',
      'return false;',
    ],
    'one 404 proves that work was stopped': ['row.missing_in_poll === row.polls;', 'row.polls >= 0;'],
    'one 404 makes a provider delete what may be finished': [
      'const delaySeconds = failedPollDelay(job.row.polls, MISSING_DELAY_SECONDS);',
      `await cancelUpstream(job.row, watched(job), { state: 'queued' });
  const delaySeconds = failedPollDelay(job.row.polls, MISSING_DELAY_SECONDS);`,
    ],
    'what a provider charges for cancelled work is lost': [
      'return job.settle({ ...CANCELLED, ...defined({ costMicros }) });',
      'return job.settle(CANCELLED);',
    ],
  },
  'test/webhooks/delivery/judge-answer.test.ts': {
    'a redirect counts as a delivery': ['status < 300) return {', 'status < 400) return {'],
  },
  'test/money/account-store.test.ts': {
    'a cost is counted in any current period': [
      'running.map((interval) => `#${interval}.#period = :${interval}`)',
      `running.map((interval) => \`${always('#${interval}.#period = :${interval}')}\`)`,
    ],
  },
  'test/money/leases.test.ts': {
    'the amount that a lease has spent is lost at its end': [
      'lentTo(lease)), spent, byok }',
      'lentTo(lease)), spent: micros(0), byok }',
    ],
  },
  'test/gate/replay-store.test.ts': {
    'two equal requests at once are both carried out': [
      "'attribute_not_exists(id) OR #until <= :now'",
      `'attribute_not_exists(id) OR ${always('#until <= :now')}'`,
    ],
  },
  'test/videos/worker/closed-key.test.ts': {
    'a job of a closed key waits on for its provider': [
      "if (job.row.phase === 'queued' && !(await mayStillSpend(job))) return endOfClosedKey(job);",
      '',
    ],
  },
  'test/videos/worker/copy-job.test.ts': {
    'the copies of an attempt that failed stay': ['await removeAll(job, copies);', ''],
  },
  'test/videos/worker/advance-job.test.ts': {
    'pollers submit too, and wait for slow vendors': [
      'isToBeSubmitted(job) ? job.passOn(message) : advance(job)',
      'advance(job)',
    ],
  },
  'test/videos/worker/crowd.test.ts': {
    'one workspace may occupy all submitters': [
      'if (!(await insist(() => shares.enter(mine, occupant, now), pause))) return waitForRoom(job, now);',
      '',
    ],
    'one workspace may occupy all copiers': ['if (!hasRoom) this.#end.abort();', ''],
  },
  'test/videos/worker/long-copy.test.ts': {
    'a long copy stays in the shares that it may have entered': [
      '// It may have entered some of them.\n      return true;',
      'return false;',
    ],
  },
  'test/videos/worker/share-store.test.ts': {
    'a share has no room for the one who has entered it unknowingly': [
      'return occupants.has(nameOf(occupant)) ? undefined : occupants;',
      'return occupants;',
    ],
  },
  'test/webhooks/delivery/lane-limits.test.ts': {
    'one workspace may occupy all deliverers': ['Math.max(1, Math.floor(deliverers / 3))', 'deliverers'],
  },
  'test/webhooks/delivery/lane-store.test.ts': {
    'a lane has no room for the one who has entered it unknowingly': [
      'return oldItem(error, laneSchema)?.holders.has(holder) ?? false;',
      'return false;',
    ],
  },
  'test/webhooks/delivery/open-circuit.test.ts': {
    'retries to a failing host are never left out': [
      'if (attempt === 1 && (event.is_redelivery || event.type === TEST_EVENT)) return undefined;',
      'if (attempt > 1 || event.is_redelivery || event.type === TEST_EVENT) return undefined;',
    ],
    'a circuit closes before its host has taken an event': [
      'streak.triedAt !== undefined || hasJustFailed(streak, now);',
      'hasJustFailed(streak, now);',
    ],
  },
  'test/webhooks/delivery/deliver-event.test.ts': {
    'test events to a failing host are left out': [
      '(event.is_redelivery || event.type === TEST_EVENT)',
      'event.is_redelivery',
    ],
    'an event without a place spends the trial of a failing host': [
      'const place = await lanes.enter(lane,',
      `if (leftOut !== undefined)
    await streaks.takeTrial(lane.workspaceId, lane.host, begun, newRequestId());
  const place = await lanes.enter(lane,`,
    ],
  },
  'test/webhooks/delivery/trial.test.ts': {
    'a failing host is tried by all at once': [
      "'attribute_exists(id) AND (attribute_not_exists(tried_at) OR tried_at <= :before)'",
      `'attribute_exists(id) AND ${always('tried_at <= :before')}'`,
    ],
  },
  'test/webhooks/settings/rotate-secret.test.ts': {
    'a repeated rotation makes another secret': ['if (!hasMade(token, row)) return', 'return'],
    'a rotation ends a secret before its time, because there are too many': [
      'if (overlapMilliseconds > 0 && retiring.length + 1 >= MOST_SECRETS)',
      'if (retiring.length + 1 >= MOST_SECRETS) retiring.pop();\n    if (overlapMilliseconds < 0)',
    ],
  },
  'test/videos/jobs/quarantine.test.ts': {
    'the new end of a released job has the webhook-id of the old one': [
      'webhook_id: releasedAt === undefined ? undefined : idAfterRelease(job.id, releasedAt),',
      'webhook_id: undefined,',
    ],
  },
  'test/broadcast/trace.test.ts': {
    'the new end of a released job has the trace of the old one': [
      'traceIdOf(event.webhook_id ?? event.id)',
      'traceIdOf(event.id)',
    ],
  },
  'test/files/upload/receive-file.test.ts': {
    'an object is announced after it is stored': [
      'await announce();\n    return object.end();',
      'const written = await object.end();\n    await announce();\n    return written;',
    ],
  },
  'test/reconciling/row-audits.test.ts': {
    'an index that misses jobs lowers what is reserved': [
      '...(this.#isProven ? { repair } : { isUnproven: true })',
      'repair',
    ],
    'a job that moves on in the index counts twice': ['keys.filter(({ id }) => !seen.has(id))', 'keys'],
  },
  'test/reconciling/list-audit.test.ts': {
    'an index that misses rows ends a list': [
      'const wrong = places.filter((place) => rows[place] !== whole.entries[place]);',
      'const wrong = places;',
    ],
  },
  'test/videos/jobs/purge-jobs.test.ts': {
    'the purge of a workspace leaves what Bedrock has written': [
      'await Promise.all(jobs.map((job) => this.#ports.removeUpstream(job)));',
      '',
    ],
    'the purge of a workspace leaves what a provider has said': ['{ error: ERROR }', '{ error: job.error }'],
  },
  'test/workspaces/purge-workspace.test.ts': {
    'the purge of a workspace goes on while one of its jobs runs': [
      'if (!(await stripJobs(removal, deadline, ports))) return false;',
      'await stripJobs(removal, deadline, ports);',
    ],
    'the same deleted workspace is always the first': [
      'const first = Math.floor(now().getTime() / MINUTE) % all.length;',
      'const first = 0;',
    ],
  },
  'test/workspaces/purged-rows.test.ts': {
    'the purge of a workspace leaves the traces of its events': [
      'return [...told.map((each) => ({ id: traceIdOf(String(each)) })), { id }];',
      'return [{ id }];',
    ],
  },
  'test/videos/routing/accounts.test.ts': {
    'a workspace that refuses shared accounts gets them': [
      'isOwnOnly || usable?.is_required',
      'usable?.is_required',
    ],
  },
};
