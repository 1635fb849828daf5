import { always, type PlantedBug } from '../planted-bug.ts';

const MOVING = 'functions/videos/worker/moving-job.ts';
const MOVE = 'functions/videos/worker/moving-job.ts';
const SUBMIT = 'functions/videos/worker/submit-job.ts';

/** Bugs in workers and sweepers: messages, leases, deadlines, providers, copies. */
export const WORKER_BUGS: readonly PlantedBug[] = [
  {
    name: 'no message follows a step',
    file: MOVING,
    from: 'if (!step.commitsFirst) await this.#send(step);',
    to: '',
    tests: ['test/videos/worker/advance-job.test.ts'],
  },
  {
    name: 'a lease does not keep other workers away',
    file: MOVE,
    from: "(phase === 'submitting' || phase === 'copying') && sweeps === 0 && now.getTime() < dueAt",
    to: "phase === 'queued' && sweeps === 0 && now.getTime() < dueAt",
  },
  {
    name: 'copies of a message are not dropped',
    file: MOVE,
    from: '(seq === job.seq && link !== undefined && link !== job.link)',
    to: '(seq === job.seq && link === null)',
    tests: ['test/videos/worker/advance-job.test.ts'],
  },
  {
    name: 'an old message moves a job',
    file: MOVE,
    from: 'seq < job.seq ||',
    to: 'seq < 0 ||',
    tests: ['test/videos/worker/advance-job.test.ts'],
  },
  {
    name: 'a submit without an answer is sent again, although that bills twice',
    file: SUBMIT,
    from: "case 'none':\n      return job.settle(UNKNOWN_SUBMIT);",
    to: "case 'none':\n      return submitJob(job);",
  },
  {
    name: 'a job that may have been accepted counts as refused',
    file: SUBMIT,
    from: "if (kind === 'ambiguous' && resubmit === 'none')",
    to: "if (kind === 'ambiguous' && resubmit === 'lookup')",
  },
  {
    name: 'a job that was accepted too late continues',
    file: SUBMIT,
    from: 'if (error instanceof JobMoved) await withdraw(job, submission);',
    to: '',
    tests: ['test/videos/worker/cancel-job.test.ts'],
  },
  {
    name: 'an unconfirmed submit does not count',
    file: SUBMIT,
    from: "mayBeTaken: kind === 'ambiguous',",
    to: 'mayBeTaken: false,',
  },
  {
    name: 'an unanswered lookup counts as absent',
    file: SUBMIT,
    from: "job.warn('lookup failed', error);\n    return 'unanswered';",
    to: "job.warn('lookup failed', error);\n    return 'absent';",
  },
  {
    name: 'a deadline is ignored',
    file: MOVING,
    from: 'return this.ports.now().getTime() >= this.#row.deadline_at;',
    to: 'return this.ports.now().getTime() < 0;',
  },
  {
    name: 'an expired job continues at its provider',
    file: 'functions/videos/worker/expire-job.ts',
    from: 'await cancelUpstream(job.row, job.ports);',
    to: '',
    tests: ['test/videos/worker/advance-job.test.ts', 'test/videos/worker/cancel-job.test.ts'],
  },
  {
    name: 'a request to cancel counts as a cancellation',
    file: 'functions/videos/worker/cancel-job.ts',
    from: "case 'requested':\n    case 'unanswered':\n      return",
    to: "case 'requested':\n      return settleJob(job, CANCELLED, ports);\n    case 'unanswered':\n      return",
    tests: ['test/videos/worker/cancel-job.test.ts'],
  },
  {
    name: 'an unanswered cancel counts as a cancellation',
    file: 'functions/videos/worker/job-place.ts',
    from: "return 'unanswered';",
    to: "return 'cancelled';",
  },
  {
    name: 'an unconfirmed job is cancelled at once',
    file: 'functions/videos/worker/cancel-job.ts',
    from: 'return job.may_be_taken === true ? askLater(job, ports) : settleJob(job, CANCELLED, ports);',
    to: 'return settleJob(job, CANCELLED, ports);',
  },
  {
    name: 'a job at its provider is cancelled at once',
    file: 'functions/videos/worker/cancel-job.ts',
    from: "case 'submitting':\n      return askLater(job, ports);",
    to: "case 'submitting':\n      return settleJob(job, CANCELLED, ports);",
  },
  {
    name: 'a copy of half a video completes a job',
    file: 'functions/videos/results/result-store.ts',
    from: 'this.#judge(() => this.#structure.end());',
    to: '',
    tests: ['test/videos/results/result-store.thorough.test.ts', 'test/videos/worker/copy-job.test.ts'],
  },
  {
    name: 'a completed job lists a video that was not stored',
    file: 'functions/videos/worker/copy-job.ts',
    from: 'copies.push(await results.save(keyOf(index), body));',
    to: 'copies.push({ ...(await results.save(`${keyOf(index)}-lost`, body)), key: keyOf(index) });',
  },
  {
    name: 'two copies write to one place',
    file: 'functions/videos/worker/copy-job.ts',
    from: 'outputKey(job.row, keptDays, job.row.step, index)',
    to: "outputKey(job.row, keptDays, 'copy', index)",
    tests: ['test/videos/worker/copy-job.test.ts'],
  },
  {
    name: 'a job that moderation has refused is tried elsewhere',
    file: 'functions/videos/worker/submit-job.ts',
    from: "const FOR_GOOD: readonly ProviderErrorKind[] = ['refused', 'credential'];",
    to: "const FOR_GOOD: readonly ProviderErrorKind[] = ['refused', 'credential', 'moderated'];",
    tests: ['test/videos/worker/failover.test.ts'],
  },
  {
    name: 'the sweeper of jobs sends nothing',
    file: 'functions/videos/jobs/sweep-job.ts',
    from: 'await queueOf(phase).send(message, workspace_id, 0);',
    to: '',
  },
  {
    name: 'a sweeper takes jobs that are not overdue',
    file: 'functions/sweeping/sweep-row.ts',
    from: 'row === undefined || row.due_at !== dueAt',
    to: 'row === undefined',
    tests: ['test/videos/jobs/sweep-job.test.ts'],
  },
  {
    name: 'a quarantine takes jobs that have moved on',
    file: 'functions/sweeping/swept-rows.ts',
    from: '#due_at = :due_at AND ${',
    to: `${always('#due_at = :due_at')} AND \${`,
    tests: ['test/webhooks/events/event-quarantine.test.ts'],
  },
  {
    name: 'a sweeper puts off a row that was quarantined after it was read',
    file: 'functions/sweeping/swept-rows.ts',
    from: '#active <> :quarantined',
    to: always('#active <> :quarantined'),
    tests: ['test/webhooks/events/event-quarantine.test.ts'],
  },
  {
    name: 'a sweeper finds a row in quarantine',
    file: 'functions/sweeping/swept-rows.ts',
    from: ' || Item.active === QUARANTINED',
    to: '',
    tests: ['test/webhooks/events/event-quarantine.test.ts'],
  },
  {
    name: 'the lease of a submit ends before its call',
    file: SUBMIT,
    from: 'SUBMIT_LEASE_SECONDS = 60',
    to: 'SUBMIT_LEASE_SECONDS = 15',
    tests: ['test/videos/worker/submit-job.test.ts'],
  },
];
