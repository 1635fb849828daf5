/** A fault that somebody could build in: in one file, one text in place of another. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const STORE = 'functions/videos/jobs/job-store.ts';
const STEPS = 'functions/videos/jobs/job-steps.ts';
const MACHINE = 'functions/videos/jobs/job-machine.ts';
const SETTLE = 'functions/money/settle-update.ts';
const HOLD = 'functions/money/hold-update.ts';
const MOVING = 'functions/videos/worker/moving-job.ts';
const SUBMIT = 'functions/videos/worker/submit-job.ts';

/** Each must be found; see `plant.ts`. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a hold is not given back',
    file: SETTLE,
    from: "':held': hold.micros",
    to: "':held': 0",
  },
  {
    name: 'a job stays counted as open',
    file: SETTLE,
    from: "'#open_jobs = #open_jobs - :one'",
    to: "'#open_jobs = #open_jobs - :none'",
  },
  {
    name: 'a cost is counted twice',
    file: SETTLE,
    from: "':cost': cost.micros",
    to: "':cost': 2 * cost.micros",
  },
  {
    name: 'what is left of a hold stays committed',
    file: SETTLE,
    from: '(counts(cost, hold) ? cost.micros : 0) - hold.micros',
    to: '0',
  },
  {
    name: 'a hold is committed and not reserved',
    file: HOLD,
    from: "'#reserved = if_not_exists(#reserved, :none) + :held'",
    to: "'#reserved = if_not_exists(#reserved, :none) + :none'",
  },
  { name: 'limits are not looked at', file: HOLD, from: 'limit.micros - hold.micros', to: '10 ** 12' },
  { name: 'an end has no event', file: STEPS, from: 'event: events.insertion(event),', to: '' },
  {
    name: 'an end leaves the holds',
    file: STEPS,
    from: 'account: accounts.settle(job.holds, cost, known),',
    to: '',
  },
  {
    name: 'a link goes back',
    file: MACHINE,
    from: 'const seq = job.seq + 1;',
    to: 'const seq = Math.max(0, job.seq - 1);',
  },
  {
    name: 'the past is forgotten',
    file: MACHINE,
    from: 'history: [...job.history, { at, status: job.status, ...where, detail: event.reason }]',
    to: 'history: [{ at, status: job.status, ...where, detail: event.reason }]',
  },
  {
    name: 'no message follows a step',
    file: MOVING,
    from: 'if (!step.commitsFirst) await this.#send(step);',
    to: '',
  },
  { name: 'an ended job stays where it was listed as open', file: STORE, from: "' REMOVE active'", to: "''" },
  {
    name: 'an unknown submit is sent again where that bills twice',
    file: SUBMIT,
    from: "case 'none':\n      return job.settle(UNKNOWN_SUBMIT);",
    to: "case 'none':\n      return submitJob(job);",
  },
  {
    name: 'what may have been accepted is taken for refused',
    file: SUBMIT,
    from: "if (kind === 'ambiguous' && resubmit === 'none')",
    to: "if (kind === 'ambiguous' && resubmit === 'lookup')",
  },
  {
    name: 'replays are forgotten',
    file: 'functions/gate/idempotency/answer-once.ts',
    from: 'if (first !== undefined) return replay(first, fingerprint);',
    to: '',
  },
  {
    name: 'anybody may see any job',
    file: 'functions/videos/jobs/find-job.ts',
    from: '(job !== undefined && job.workspace_id === principal.workspaceId)',
    to: 'true',
  },
  {
    name: 'webhooks are not signed',
    file: 'functions/webhooks/signature/sign.ts',
    from: "createHmac('sha256', secret)",
    to: "createHmac('sha256', 'a secret')",
  },
  {
    name: 'a delivery is told before it is made',
    file: 'functions/videos/jobs/settle-job.ts',
    from: '  await ports.steps.settle(job, step, outbox);',
    to: '  await announceEvent(outbox, ports.eventQueue, ports.log);\n  await new Promise((resolve) => setTimeout(resolve, 2_000));\n  await ports.steps.settle(job, step, outbox);',
  },
];
