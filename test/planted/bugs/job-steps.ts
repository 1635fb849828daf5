import { always, type PlantedBug } from '../planted-bug.ts';

const STEPS = 'functions/videos/jobs/job-steps.ts';
const MACHINE = 'functions/videos/jobs/job-machine.ts';
const OUTCOME = 'functions/videos/jobs/job-machine.ts';
const STORE = 'functions/videos/jobs/job-store.ts';

/** Bugs in the rows of jobs: their conditions, steps and ends. */
export const JOB_STEP_BUGS: readonly PlantedBug[] = [
  {
    name: 'a step has no condition on the row',
    file: STORE,
    from: `'#seq = :seq AND #phase = :phase AND #submits = :submits' +
          (job.step === '' ? ' AND (attribute_not_exists(#step) OR #step = :step)' : ' AND #step = :step'),`,
    to: `'${always('(#seq = :seq AND #phase = :phase AND #submits = :submits AND #step = :step)')}',`,
  },
  {
    name: 'a step only checks the phase',
    file: STORE,
    from: `'#seq = :seq AND #phase = :phase AND #submits = :submits' +
          (job.step === '' ? ' AND (attribute_not_exists(#step) OR #step = :step)' : ' AND #step = :step'),`,
    to: `'#phase = :phase AND ${always('(#seq = :seq AND #submits = :submits AND #step = :step)')}',`,
    tests: ['test/videos/jobs/job-steps.test.ts'],
  },
  {
    name: 'a cancel is accepted in any phase',
    file: STORE,
    from: `'#phase IN (:submitting, :polling) OR (#phase = :queued AND #may_be_taken = :true)'`,
    to: `'${always('(#phase IN (:submitting, :polling) OR (#phase = :queued AND #may_be_taken = :true))')}'`,
    tests: ['test/videos/jobs/job-steps.test.ts'],
  },
  { name: 'an ended job is still marked as active', file: STORE, from: "' REMOVE active'", to: "''" },
  {
    name: 'a list by status contains jobs with another status',
    file: STORE,
    from: 'jobs.filter((job) => status === undefined || job.status === status)',
    to: 'jobs',
    tests: ['test/videos/jobs/job-store.test.ts'],
  },
  { name: 'a job’s end has no event', file: STEPS, from: 'event: events.insertion(event),', to: '' },
  {
    name: 'a job’s end does not release its holds',
    file: STEPS,
    from: 'account: accounts.settle(job.holds, cost, known),',
    to: '',
  },
  {
    name: 'a job’s end is in no report',
    file: STEPS,
    from: 'activity: accounts.count(activityOf({ ...job, ...step.changes })),',
    to: '',
  },
  {
    name: 'a repeated step is not recognized',
    file: STEPS,
    from: 'if (oldItem(cause, stepOfRow)?.step !== step.changes.step) throw',
    to: 'throw',
    tests: ['test/videos/jobs/job-steps.test.ts'],
  },
  {
    name: 'a job’s end is lost if another worker was faster',
    file: STEPS,
    from: "if (refusedBy(cause, 'job')) throw new JobMoved(job.id, { cause });\n      if (refusedBy(cause, 'event'))",
    to: "if (refusedBy(cause, 'job')) return true;\n      if (refusedBy(cause, 'event'))",
    tests: ['test/videos/jobs/job-steps.test.ts'],
  },
  {
    name: 'the number of a step goes back',
    file: MACHINE,
    from: 'const seq = job.seq + 1;',
    to: 'const seq = Math.max(0, job.seq - 1);',
    tests: ['test/videos/jobs/job-machine.test.ts'],
  },
  {
    name: 'the history of a job is lost',
    file: MACHINE,
    from: 'history: [...job.history, { at, status: job.status, ...where, detail: event.reason }]',
    to: 'history: [{ at, status: job.status, ...where, detail: event.reason }]',
  },
  {
    name: 'an acceptance is sent on before it is written',
    file: MACHINE,
    from: "commitsFirst: event.type === 'accepted' || delaySeconds === 0",
    to: 'commitsFirst: delaySeconds === 0',
    tests: ['test/videos/jobs/job-machine.test.ts', 'test/videos/worker/submit-job.test.ts'],
  },
  {
    name: 'a job may end twice',
    file: 'functions/videos/jobs/lifecycle.ts',
    from: "completed: ['copying'],",
    to: "completed: ['copying', 'settled'],",
    tests: ['test/videos/jobs/job-machine.test.ts'],
  },
  {
    name: 'more is charged than was held',
    file: OUTCOME,
    from: 'if (cost <= held) return { cost_micros: cost };',
    to: 'return { cost_micros: cost };',
  },
  {
    name: 'an unconfirmed job may go to another provider',
    file: OUTCOME,
    from: '...(event.mayBeTaken ? { alternatives: [], may_be_taken: true } : {}),',
    to: '',
  },
  {
    name: 'progress goes back',
    file: OUTCOME,
    from: 'progress === undefined || progress <= (job.progress ?? 0)',
    to: 'progress === undefined',
    tests: ['test/videos/jobs/job-machine.test.ts'],
  },
  {
    name: 'a job is deleted before it has ended',
    file: 'functions/videos/jobs/remove-job.ts',
    from: "if (job.phase !== 'settled') {",
    to: "if (job.phase === 'queued') {",
    tests: ['test/videos/jobs/remove-job.test.ts'],
  },
  {
    name: 'a job’s end is reported before it is stored',
    file: 'functions/videos/jobs/job-steps.ts',
    from: '  await ports.steps.settle(job, step, outbox);',
    to: '  await announceEvent(outbox, ports.eventQueue, ports.log);\n  await new Promise((resolve) => setTimeout(resolve, 2_000));\n  await ports.steps.settle(job, step, outbox);',
    tests: ['test/videos/jobs/settle-job.test.ts'],
  },
];
