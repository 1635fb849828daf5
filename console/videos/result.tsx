import { Clapperboard } from 'lucide-preact';
import { Link } from 'wouter-preact';
import type { Job } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/values.tsx';
import { JobActions } from './job-actions.tsx';
import { Cost, WhyItFailed } from './job-facts.tsx';
import { Screen } from './screen.tsx';
import { Timeline } from './timeline.tsx';
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
