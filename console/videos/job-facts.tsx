import type { Job } from '../api/types.ts';
import { byteSize, words } from '../parts/format.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { Cost } from './cost.tsx';

export function JobFacts({ job }: { readonly job: Job }) {
  const { error_details: details, outputs: [output] = [], warnings = [] } = job;
  return (
    <>
      {job.error !== undefined && (
        <div class="failure">
          <p>{job.error}</p>
          {details !== undefined && (
            <p>
              {words(details.type)};{' '}
              {details.retryable ? 'the same request may work later' : 'the same request would fail again'}
            </p>
          )}
        </div>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      <dl class="facts-list">
        <dt>Status</dt>
        <dd>
          <StatusBadge status={job.status} />
        </dd>
        <dt>Model</dt>
        <dd>{job.model}</dd>
        <dt>Cost</dt>
        <dd>
          <Cost job={job} />
          {job.usage?.is_byok && ' on the workspace’s own provider key'}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{job.id}</code>
        </dd>
        {output !== undefined && (
          <>
            <dt>Size</dt>
            <dd>{byteSize(output.size_bytes)}</dd>
          </>
        )}
        {job.content_expires_at !== undefined && (
          <>
            <dt>Kept until</dt>
            <dd>
              <When at={job.content_expires_at} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}
