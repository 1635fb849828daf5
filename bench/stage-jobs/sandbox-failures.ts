import type { JobStatus } from '../../functions/videos/jobs/job.ts';
import type { Json } from '../../functions/videos/providers/provider.ts';

/** The options of a job for the sandbox, and the job's expected end. */
export interface SandboxFailure {
  readonly name: string;
  readonly directives: { readonly [key: string]: Json };
  readonly status: JobStatus;
  /** The error that the job must show, if it must show one. */
  readonly reason?: RegExp;
}

const overcome = (name: string, directives: SandboxFailure['directives']): SandboxFailure => ({
  name,
  directives,
  status: 'completed',
});
const failed = (name: string, directives: SandboxFailure['directives'], reason: RegExp): SandboxFailure => ({
  name,
  directives,
  status: 'failed',
  reason,
});

/** Longer than a submit waits for its first turn when a thousand arrive at once. */
const WHILE = { submit_lasts_s: 30 };
const NO_VIDEO = /not a complete MP4/;

/** Every way in which the sandbox can fail. */
export const SANDBOX_FAILURES: readonly SandboxFailure[] = [
  overcome('submit: 429', { submit: 429, ...WHILE, retry_after: 7 }),
  overcome('submit: 500', { submit: 500, ...WHILE }),
  overcome('submit: answer lost', { submit: 'timeout_after_accept', ...WHILE }),
  failed('submit: 402', { submit: 402 }, /has no funds/),
  overcome('poll: 429 and 500', {
    poll_errors: Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 429 : 500)),
  }),
  overcome('poll: 500 for long', { poll_errors: Array.from({ length: 20 }, () => 500) }),
  failed('failed', { outcome: 'failed' }, /asked to fail/),
  failed('moderated', { outcome: 'moderated' }, /^Refused by the provider’s moderation: /),
  failed('cancelled', { outcome: 'cancelled' }, /asked to cancel/),
  failed('done, no video', { outcome: 'done_without_url' }, /without a video/),
  failed('not an MP4', { outcome: 'html_instead_of_mp4' }, NO_VIDEO),
  failed('half an MP4', { outcome: 'truncated_bytes' }, NO_VIDEO),
  {
    name: 'expired',
    directives: { outcome: 'expired' },
    status: 'expired',
    reason: /asked to let the job expire/,
  },
  {
    name: 'unknown state',
    directives: { outcome: 'garbage_status' },
    status: 'expired',
    reason: /arrived in time/,
  },
];
