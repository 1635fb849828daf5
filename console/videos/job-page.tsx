import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { promptOf } from './draft.ts';
import { Generation } from './generation.tsx';
import { DeleteButton, JobActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { Outcome } from './result.tsx';
import { keptRequest } from './sent-requests.ts';
import { isOpen, useJob } from './use-jobs.ts';

export function JobPage({ id }: { readonly id: string }) {
  const job = useJob(id);
  return (
    <Page title="Video" actions={job.data && <Actions job={job.data} />}>
      <Loaded query={job} what="the job">
        {(known) => <JobSections job={known} />}
      </Loaded>
    </Page>
  );
}

const Actions = ({ job }: { readonly job: Job }) => (
  <>
    <JobActions job={job} />
    {!isOpen(job) && <DeleteButton job={job} />}
  </>
);

function JobSections({ job }: { readonly job: Job }) {
  const prompt = promptOf(job);
  const request = keptRequest(job.id);
  return (
    <>
      {prompt !== undefined && <p class="whole-prompt">{prompt}</p>}
      <div class="job">
        <div class="outcome">
          <Outcome job={job} />
        </div>
        <Section title="Details">
          <JobFacts job={job} />
        </Section>
        <Section title="History">
          <Timeline job={job} />
        </Section>
        <Section title="Webhook">
          <JobDeliveries job={job} />
        </Section>
        <Generation job={job} />
        <Section
          title="Code"
          about={request === undefined ? 'Gets this video.' : 'Sends the same request again.'}
        >
          <CodeTabs jobId={job.id} body={request} />
        </Section>
      </div>
    </>
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
              {detail !== undefined && detail !== job.error && <p>{detail}</p>}
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
  const toast = useToast();
  const params = { path: { video: job.id }, query: scope };
  const deliveries = useQuery({
    queryKey: ['deliveries', workspaceId, job.id, job.status],
    queryFn: async () => (await answered(api.GET('/videos/{video}/deliveries', { params }))).data,
    refetchInterval: ({ state }) => whileOnTheirWay(state.data),
  });
  const redeliver = useAction(
    () => answered(api.POST('/videos/{video}/webhook/redeliver', { params })),
    ['deliveries'],
    () => toast('Redelivery started'),
  );
  if (isOpen(job)) return <p class="quiet">Genway sends a webhook when the job ends.</p>;
  return (
    <Loaded query={deliveries} what="deliveries">
      {([delivery]) =>
        delivery === undefined ? (
          <p class="quiet">The delivery has expired.</p>
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
