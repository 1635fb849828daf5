import type { Job } from '../api/types.ts';
import { byteSize, seconds, usd, words } from '../parts/format.ts';
import { Facts, StatusBadge, When } from '../parts/values.tsx';
import { isOpen } from './use-jobs.ts';

type Output = NonNullable<Job['outputs']>[number];

export function JobFacts({ job }: { readonly job: Job }) {
  const { outputs: [output] = [], warnings = [], content_expires_at: end } = job;
  const cost = (
    <>
      <Cost job={job} />
      {job.usage?.is_byok && ' (provider key of the workspace)'}
    </>
  );
  const status = (
    <span role="status">
      <StatusBadge status={job.status} />
    </span>
  );
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      <Facts
        facts={[
          ['Status', status],
          ['Model', job.model],
          ['Cost', cost],
          ['ID', <code key="id">{job.id}</code>],
          ['Video', output && outputFacts(output)],
          ['Expires', end && <When at={end} />],
        ]}
      />
    </>
  );
}

/** Why a job has no video, and whether a retry helps. */
export function WhyItFailed({ job: { status, error, error_details: details } }: { readonly job: Job }) {
  return (
    <div class="failure">
      <p>{error ?? `The job is ${words(status)}.`}</p>
      {details !== undefined && (
        <p>
          Cause: {words(details.type)}.{' '}
          {details.retryable ? 'A retry may succeed.' : 'The same request would fail again.'}
        </p>
      )}
    </div>
  );
}

function outputFacts({ width, height, duration, size_bytes }: Output): string {
  const frame = width === undefined || height === undefined ? undefined : `${width} × ${height}`;
  const length = duration === undefined ? undefined : seconds(duration);
  return [frame, length, byteSize(size_bytes)].filter((fact) => fact !== undefined).join(', ');
}

/** What it cost, or what is held for it. */
export function Cost({ job }: { readonly job: Job }) {
  if (job.usage !== undefined) return <span>{usd(job.usage.cost)}</span>;
  return <span>{isOpen(job) ? `up to ${usd(job.max_cost)}` : usd(0)}</span>;
}
