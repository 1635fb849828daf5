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
      {job.usage?.is_byok && ' on the workspace’s own provider key'}
    </>
  );
  const status = (
    <span role="status">
      <StatusBadge status={job.status} />
    </span>
  );
  return (
    <>
      <WhyItFailed job={job} />
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
          ['Id', <code key="id">{job.id}</code>],
          ['Video', output && outputFacts(output)],
          ['Kept until', end && <When at={end} />],
        ]}
      />
    </>
  );
}

function WhyItFailed({ job: { error, error_details: details } }: { readonly job: Job }) {
  if (error === undefined) return null;
  return (
    <div class="failure">
      <p>{error}</p>
      {details !== undefined && (
        <p>
          {words(details.type)};{' '}
          {details.retryable ? 'the same request may work later' : 'the same request would fail again'}
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
