import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { Facts } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { PrivateLog } from './private-log.tsx';
import { isOpen } from './use-jobs.ts';

/** What is known of a job since a provider took it. The private log is for management keys. */
export function Generation({ job }: { readonly job: Job }) {
  const { isManagement } = useSession();
  const { generation_id: id } = job;
  if (id === undefined) return null;
  return (
    <>
      <Section title="Provider">
        <GenerationFacts job={job} generationId={id} />
      </Section>
      {isManagement && !isOpen(job) && (
        <Section title="Private log">
          <PrivateLog generationId={id} />
        </Section>
      )}
    </>
  );
}

interface GenerationFactsProps {
  readonly job: Job;
  readonly generationId: string;
}

/** Which provider served the job, its id there, and how long it took. */
function GenerationFacts({ job, generationId }: GenerationFactsProps) {
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
            ['Provider’s ID', upstream_id && <code>{upstream_id}</code>],
            ['Generation time', generation_time && seconds(generation_time / 1000)],
            ['Total time', latency && seconds(latency / 1000)],
            ['Generation ID', <code key="id">{generationId}</code>],
          ]}
        />
      )}
    </Loaded>
  );
}
