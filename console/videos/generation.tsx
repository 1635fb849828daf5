import type { Job } from '../api/types.ts';
import { Section } from '../parts/section.tsx';
import { useSession } from '../session/session.ts';
import { GenerationFacts } from './generation-facts.tsx';
import { PrivateLog } from './private-log.tsx';
import { isOpen } from './use-jobs.ts';

/** What is known of a job since a provider took it. The private log is for management keys. */
export function Generation({ job }: { readonly job: Job }) {
  const { isManagement } = useSession();
  const { generation_id: id } = job;
  if (id === undefined) return null;
  return (
    <>
      <Section title="At its provider">
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
