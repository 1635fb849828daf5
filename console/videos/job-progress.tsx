import type { Job } from '../api/types.ts';
import { words } from '../parts/format.ts';
import { isOpen } from './use-jobs.ts';

const WAITS = {
  provider_paused: 'The provider is paused',
  provider_busy: 'The provider is busy',
  rate_limit: 'The provider asks to wait',
  provider_unavailable: 'The provider cannot be reached',
  confirmation: 'The provider has yet to confirm',
  input: 'An input is being fetched',
} as const;

/** Stands where the video will be, and takes the same room. */
export function JobProgress({ job }: { readonly job: Job }) {
  if (!isOpen(job)) return <p class="no-video">{job.error ?? words(job.status)}</p>;
  const { progress, waiting_for: wait, cancel_requested_at: cancelRequested } = job;
  const said =
    wait === undefined
      ? job.status === 'pending'
        ? 'Waiting for its turn'
        : 'Being made'
      : WAITS[wait.reason];
  return (
    <div class="no-video">
      <progress aria-label="Progress" max={100} {...(progress === undefined ? {} : { value: progress })} />
      <p>
        {cancelRequested === undefined ? said : 'Being cancelled'}
        {progress !== undefined && ` – ${Math.round(progress)} %`}
      </p>
    </div>
  );
}
