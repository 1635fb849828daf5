import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useAction } from '../api/action.ts';
import { API_PATH, answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section, useGoOn } from '../parts/page.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { promptOf } from './draft.ts';
import { Generation } from './generation.tsx';
import { JobFacts } from './job-facts.tsx';
import { Screen } from './screen.tsx';
import { curlLine, keptRequest } from './sent-requests.ts';
import { isOpen, useJob } from './use-jobs.ts';

export function JobPage({ id }: { readonly id: string }) {
  const job = useJob(id);
  return (
    <Page title="Video" actions={job.data && <JobActions job={job.data} />}>
      <Loaded query={job} what="the job">
        {(known) => <JobSections job={known} />}
      </Loaded>
    </Page>
  );
}

function JobSections({ job }: { readonly job: Job }) {
  const prompt = promptOf(job);
  return (
    <>
      {prompt !== undefined && <p class="whole-prompt">{prompt}</p>}
      <div class="job">
        <div class="stage large">
          <Screen job={job} />
        </div>
        <Section title="What it is">
          <JobFacts job={job} />
        </Section>
        <Section title="What happened">
          <Timeline job={job} />
        </Section>
        <Section title="Webhook">
          <JobDeliveries job={job} />
        </Section>
        <Generation job={job} />
        <Section title="The same from a shell">
          <CurlLine jobId={job.id} />
        </Section>
      </div>
    </>
  );
}

const JobActions = ({ job }: { readonly job: Job }) =>
  isOpen(job) ? (
    <CancelButton job={job} />
  ) : (
    <>
      {job.urls !== undefined && (
        <Link href={`/videos/new/${job.id}`} class="button">
          Continue from its last frame
        </Link>
      )}
      <DeleteButton job={job} />
    </>
  );

function CancelButton({ job }: { readonly job: Job }) {
  const { api, scope } = useSession();
  if (job.cancel_requested_at !== undefined) {
    return (
      <button type="button" class="danger" disabled>
        Being cancelled …
      </button>
    );
  }
  return (
    <ConfirmButton
      label="Cancel the video"
      stale={['job', 'jobs', 'events']}
      act={() =>
        answered(api.POST('/videos/{video}/cancel', { params: { path: { video: job.id }, query: scope } }))
      }
    >
      <p>There will be no video, but its provider may charge for what it has made so far.</p>
    </ConfirmButton>
  );
}

function DeleteButton({ job }: { readonly job: Job }) {
  const { api, scope } = useSession();
  const queries = useQueryClient();
  const goOn = useGoOn();
  return (
    <ConfirmButton
      label="Delete"
      stale={['jobs']}
      onDone={() => {
        goOn('/');
        queries.removeQueries({ queryKey: ['job'] });
      }}
      act={() =>
        answered(api.DELETE('/videos/{video}', { params: { path: { video: job.id }, query: scope } }))
      }
    >
      <p>The job goes with its video and its inputs, for everybody. What it cost stays in reports.</p>
    </ConfirmButton>
  );
}

function Timeline({ job }: { readonly job: Job }) {
  const { api, scope, workspaceId } = useSession();
  const events = useQuery({
    // What happened has changed whenever the job shows something else.
    queryKey: ['events', workspaceId, job.id, job.status, job.cancel_requested_at],
    queryFn: async () => {
      const params = { path: { video: job.id }, query: scope };
      return (await answered(api.GET('/videos/{video}/events', { params }))).data;
    },
  });
  return (
    <Loaded query={events} what="its history">
      {(known) => (
        <ol class="timeline">
          {known.map(({ at, status, detail }) => (
            <li key={`${at} ${status}`}>
              <StatusBadge status={status} /> <When at={at} />
              {detail !== undefined && <p>{detail}</p>}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** The webhook of the job's end. */
function JobDeliveries({ job }: { readonly job: Job }) {
  const { api, scope, workspaceId } = useSession();
  const params = { path: { video: job.id }, query: scope };
  const deliveries = useQuery({
    queryKey: ['deliveries', workspaceId, job.id, job.status],
    queryFn: async () => (await answered(api.GET('/videos/{video}/deliveries', { params }))).data,
    refetchInterval: ({ state }) => whileOnTheirWay(state.data),
  });
  const redeliver = useAction(
    () => answered(api.POST('/videos/{video}/webhook/redeliver', { params })),
    ['deliveries'],
  );
  if (isOpen(job)) return <p class="quiet">It is sent when the job has ended.</p>;
  return (
    <Loaded query={deliveries} what="deliveries">
      {([delivery]) =>
        delivery === undefined ? (
          <p class="quiet">It is no longer kept.</p>
        ) : (
          <>
            <DeliveryView delivery={delivery} />
            <RedeliverButton delivery={delivery} action={redeliver} />
          </>
        )
      }
    </Loaded>
  );
}

/** Of the request that made the job, where it was sent from this tab; else of the one that reads it. */
function CurlLine({ jobId }: { readonly jobId: string }) {
  const { scope } = useSession();
  const request = keptRequest(jobId);
  const url = new URL(`${API_PATH}/videos${request === undefined ? `/${jobId}` : ''}`, window.location.href);
  url.search = new URLSearchParams(scope).toString();
  const line = curlLine(request === undefined ? 'GET' : 'POST', url.href, request);
  return (
    <>
      <p class="quiet">
        {request === undefined
          ? 'It was not submitted from this tab; this reads it.'
          : 'This makes the same request once more.'}{' '}
        <code>GENWAY_KEY</code> holds the key.
      </p>
      <pre data-testid="curl">{line}</pre>
      <CopyButton key={line} text={line} label="Copy the line" />
    </>
  );
}
