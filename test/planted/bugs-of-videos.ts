import type { PlantedBugs } from './planted-bugs.ts';

/** Bugs of jobs and of what works on them, by the fast test that must find them. */
export const BUGS_OF_VIDEOS: Readonly<Record<string, PlantedBugs>> = {
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
      'left < delaySeconds * 1000 || left > linkSeconds(job) * 1000',
      'left > linkSeconds(job) * 1000',
    ],
    'an answer between two 404s is forgotten, because it was not written': [
      ' || job.cancel_requested_at !== undefined',
      '',
    ],
  },
  'test/videos/jobs/next-visit.test.ts': {
    'a sweeper disturbs the worker that has the job': ['if (leaseEndsAt > now().getTime()) return;', ''],
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
    'a task that is not listed yet counts as lost': ['mayBeListedYet(job) ?', 'false ?'],
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
    'a hint counts as the provider’s answer': [
      'await step(new MovingJob({ ...job, polls, due_at }, place, ports));',
      `const moving = new MovingJob({ ...job, polls, due_at }, place, ports);
      await (message.hint === undefined ? step(moving) : moving.apply({ type: 'made', delaySeconds: 0 }));`,
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
    'a callback puts its job back into the queue': [
      "ExpressionAttributeNames: { '#callbacks': 'callbacks', '#submits': 'submits', '#phase': 'phase' },\n      ExpressionAttributeValues: {",
      `UpdateExpression: 'SET #callbacks = if_not_exists(#callbacks, :none) + :one, #phase = :queued',
      ExpressionAttributeNames: { '#callbacks': 'callbacks', '#submits': 'submits', '#phase': 'phase' },
      ExpressionAttributeValues: {
        ':queued': 'queued',`,
    ],
    'each repetition of a callback has the provider asked': [
      'const MOST_CALLBACKS = 3;',
      'const MOST_CALLBACKS = 3e9;',
    ],
    'a body without a signature is believed': [
      'keys.length > 0 && !isSignedCallback(',
      'false && !isSignedCallback(',
    ],
  },
  'test/videos/routing/figures.test.ts': {
    'a provider that has stopped calling is still waited for': ['.slice(0, ENDS_WITHOUT_CALL)\n', '\n'],
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
  'test/videos/worker/manners.test.ts': {
    'a finished video is deleted unseen': ['await look(job, job.ref, place, ports)', "{ state: 'running' }"],
  },
  'test/videos/providers/kling.test.ts': {
    'Kling is not told the id of a job': ['external_task_id: job.id,', ''],
  },
  'test/videos/providers/adapters.test.ts': {
    'an error that says when to come back counts as a refusal': [
      "if (status === 429) return 'rate_limited';",
      "if (status === 429) return 'rate_limited'; if (status === 503) return 'unavailable';",
    ],
  },
  'test/videos/worker/closed-key.test.ts': {
    'a job of a closed key waits on for its provider': [
      "if (job.row.phase === 'queued' && !(await mayStillSpend(job))) return endOfClosedKey(job);",
      '',
    ],
    'a closed key still begins what waits': [
      'ports.steps.maySpend(row, ports.now())',
      'Promise.resolve(true)',
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
  'test/videos/worker/slow-polls.test.ts': {
    'the slow polls of one provider occupy all pollers': [
      'this.#ports.slowPolls?.admit(call, now) ?? 0',
      '0',
    ],
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
  'test/videos/jobs/quarantine.test.ts': {
    'the new end of a released job has the webhook-id of the old one': [
      'webhook_id: releasedAt === undefined ? undefined : idAfterRelease(job.id, releasedAt),',
      'webhook_id: undefined,',
    ],
  },
  'test/videos/jobs/purge-jobs.test.ts': {
    'the purge of a workspace leaves what Bedrock has written': [
      'await Promise.all(jobs.map((job) => this.#ports.removeUpstream(job)));',
      '',
    ],
    'the purge of a workspace leaves what a provider has said': ['{ error: ERROR }', '{ error: job.error }'],
    'the purge of a workspace leaves what was asked of its jobs': [
      'await removeRows(this.#client, this.#table, requests);',
      '',
    ],
    'the purge of a workspace takes its jobs out of the reports': [
      "  'cost_micros',\n  'upstream_cost_micros',",
      "  'upstream_cost_micros',",
    ],
  },
  'test/videos/routing/accounts.test.ts': {
    'a workspace that refuses shared accounts gets them': [
      'isOwnOnly || usable?.is_required',
      'usable?.is_required',
    ],
  },
};
