import { useQuery } from '@tanstack/preact-query';
import { Clapperboard } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { JobActions } from './job-actions.tsx';
import { Cost, WhyItFailed } from './job-facts.tsx';
import { Screen } from './screen.tsx';
import { isOpen, useJob } from './use-jobs.ts';

/** The job that the form has made, or that was chosen below. */
export function Result({ jobId }: { readonly jobId: string | undefined }) {
  return (
    <section class="card stack result-panel" aria-label="Result">
      {jobId === undefined ? (
        <EmptyState icon={Clapperboard} title="Your video appears here">
          <p>Describe a video, check the price, and press Create video.</p>
        </EmptyState>
      ) : (
        <JobResult id={jobId} />
      )}
    </section>
  );
}

function JobResult({ id }: { readonly id: string }) {
  const job = useJob(id);
  return (
    <Loaded query={job} what="the video" tall>
      {(known) => (
        <>
          <Outcome job={known} />
          <ResultFacts job={known} />
          <div class="actions">
            <JobActions job={known} />
          </div>
          <details>
            <summary>Steps</summary>
            <Timeline job={known} />
          </details>
        </>
      )}
    </Loaded>
  );
}

/** The video, how far it is, or why there is none. */
export const Outcome = ({ job }: { readonly job: Job }) =>
  job.status === 'completed' || isOpen(job) ? (
    <div class="stage large">
      <Screen job={job} />
    </div>
  ) : (
    <WhyItFailed job={job} />
  );

function ResultFacts({ job }: { readonly job: Job }) {
  const length = job.outputs?.[0]?.duration;
  return (
    <p class="facts">
      <span role="status">
        <StatusBadge status={job.status} />
      </span>
      <span>{job.model}</span>
      <Cost job={job} />
      {length !== undefined && <span>{seconds(length)}</span>}
      <Link href={`/videos/${job.id}`}>Details</Link>
    </p>
  );
}

/** The steps of a job, and how long each took. */
export function Timeline({ job }: { readonly job: Job }) {
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
    <Loaded query={events} what="the steps">
      {(known) => (
        <ol class="timeline">
          {known.map(({ at, status, detail }, place) => (
            <li key={`${at} ${status}`}>
              <StatusBadge status={status} /> <When at={at} />
              <span class="quiet">{took(at, known[place + 1]?.at)}</span>
              {detail !== undefined && detail !== job.error && <p>{detail}</p>}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** From one step to the next; nothing for the last. */
const took = (from: string, to: string | undefined): string =>
  to === undefined ? '' : ` for ${seconds((Date.parse(to) - Date.parse(from)) / 1000)}`;
