import { useQueryClient } from '@tanstack/preact-query';
import { ArrowRightFromLine, CircleX, CopyPlus, RotateCw, Trash2 } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered } from '../api/client.ts';
import type { Job, VideoRequest } from '../api/types.ts';
import { Confirm, ConfirmButton } from '../parts/confirm.tsx';
import { RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { useGoOn } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';
import { DownloadButton } from './download-button.tsx';
import { keptRequest } from './sent-requests.ts';
import { isOpen, useSubmit } from './use-jobs.ts';

/** What can be done next with a job; what most people want comes first. */
export function JobActions({ job }: { readonly job: Job }) {
  const request = keptRequest(job.id);
  if (isOpen(job)) return <CancelButton job={job} />;
  const canRetry = job.status !== 'completed' && request !== undefined;
  const isFirst = !canRetry && job.urls === undefined;
  return (
    <>
      {canRetry && <RetryButton request={request} />}
      {job.urls !== undefined && <DownloadButton jobId={job.id} kind="primary" />}
      <Link href={`/playground?again=${job.id}&job=${job.id}`} class={isFirst ? 'button primary' : 'button'}>
        <CopyPlus />
        Use again
      </Link>
      {job.urls !== undefined && (
        <Link href={`/playground?from=${job.id}`} class="button">
          <ArrowRightFromLine />
          Continue from last frame
        </Link>
      )}
    </>
  );
}

/** Submits the same request as a new job. */
function RetryButton({ request }: { readonly request: VideoRequest }) {
  const goOn = useGoOn();
  const submit = useSubmit((id) => goOn(`/playground?again=${id}&job=${id}`));
  return (
    <>
      <FailureNote error={submit.error} />
      <button
        type="button"
        class="primary"
        disabled={submit.isPending}
        onClick={() => submit.mutate(request)}
      >
        <RotateCw />
        Retry
      </button>
    </>
  );
}

function CancelButton({ job }: { readonly job: Job }) {
  const { api, scope } = useSession();
  if (job.cancel_requested_at !== undefined) {
    return (
      <button type="button" class="danger" disabled>
        Cancelling …
      </button>
    );
  }
  return (
    <ConfirmButton
      label="Cancel video"
      icon={CircleX}
      done="Cancellation requested"
      keep="Keep video"
      stale={['job', 'jobs', 'events']}
      act={() =>
        answered(api.POST('/videos/{video}/cancel', { params: { path: { video: job.id }, query: scope } }))
      }
    >
      <p>
        Cancels the job. The provider may charge for the work that it has already done. If the provider cannot
        stop the job, the job continues, and is charged if it completes.
      </p>
    </ConfirmButton>
  );
}

/** What is rarely wanted. */
export function JobMenu({ job }: { readonly job: Job }) {
  const { api, scope } = useSession();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const remove = (close: () => void) => (
    <Confirm
      label="Delete"
      done="Video deleted"
      stale={['jobs']}
      onClose={close}
      onDone={() => {
        goOn('/');
        queries.removeQueries({ queryKey: ['job'] });
      }}
      act={() =>
        answered(api.DELETE('/videos/{video}', { params: { path: { video: job.id }, query: scope } }))
      }
    >
      <p>
        Deletes the job with its video, private log and inline images, for everyone in the workspace. Uploaded
        files, the webhook event and the cost in reports stay.
      </p>
    </Confirm>
  );
  return (
    <RowMenu
      of="this video"
      items={[
        {
          label: 'Delete',
          icon: Trash2,
          kind: 'danger',
          dialog: { title: 'Delete video?', children: remove },
        },
      ]}
    />
  );
}
