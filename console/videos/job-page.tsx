import { useQueryClient } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useGoOn } from '../parts/use-go-on.ts';
import { useSession } from '../session/session.ts';
import { CurlLine } from './curl-line.tsx';
import { Generation } from './generation.tsx';
import { JobDeliveries } from './job-deliveries.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobProgress } from './job-progress.tsx';
import { Player } from './player.tsx';
import { promptOf } from './prompt-note.ts';
import { Timeline } from './timeline.tsx';
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
  const { id, status } = job;
  const prompt = promptOf(job);
  return (
    <>
      {prompt !== undefined && <p class="whole-prompt">{prompt}</p>}
      <div class="job">
        <div class="stage large">
          {status === 'completed' ? <Player job={job} name={prompt ?? id} /> : <JobProgress job={job} />}
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
          <CurlLine jobId={id} />
        </Section>
      </div>
    </>
  );
}

const JobActions = ({ job }: { readonly job: Job }) =>
  isOpen(job) ? <CancelButton job={job} /> : <DeleteButton job={job} />;

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
