import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { Id } from '../parts/buttons.tsx';
import { byteSize, seconds, usd, words } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Facts, StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
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
          ['ID', <Id key="id" of="ID" id={job.id} />],
          ['Video', output && outputFacts(output)],
          ['Expires', end && <When at={end} />],
        ]}
      />
    </>
  );
}

interface GenerationFactsProps {
  readonly job: Job;
  readonly generationId: string;
}

/** Which provider served the job, its id there, and how long it took. */
export function GenerationFacts({ job, generationId }: GenerationFactsProps) {
  const { api, scope, workspaceId } = useSession();
  const generation = useQuery({
    queryKey: ['generation', workspaceId, generationId, job.status],
    queryFn: async () => {
      const query = { ...scope, id: generationId };
      return (await answered(api.GET('/generation', { params: { query } }))).data;
    },
  });
  return (
    <Loaded query={generation} what="the generation">
      {({ provider_name, endpoint, upstream_id, latency, generation_time }) => (
        <Facts
          facts={[
            ['Provider', provider_name],
            ['Endpoint', endpoint],
            ['Provider job ID', upstream_id && <Id of="provider job ID" id={upstream_id} />],
            ['Generation time', generation_time && seconds(generation_time / 1000)],
            ['Total time', latency && seconds(latency / 1000)],
            ['Generation ID', <Id key="id" of="generation ID" id={generationId} />],
          ]}
        />
      )}
    </Loaded>
  );
}

/** Why a job has no video, and whether a retry helps. */
export function WhyItFailed({ job: { status, error, error_details: details } }: { readonly job: Job }) {
  return (
    <div class="failure">
      <p>{error ?? `Status: ${words(status)}.`}</p>
      {details !== undefined && (
        <p>
          Cause: {words(details.type)}. {details.retryable && 'A retry may succeed.'}
          {!details.retryable && details.type !== 'cancelled' && 'The same request will probably fail again.'}
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
