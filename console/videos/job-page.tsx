import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { useWebhook } from '../session/use-workspaces.ts';
import { CodeTabs } from './code-tabs.tsx';
import { promptOf } from './draft.ts';
import { JobActions, JobMenu } from './job-actions.tsx';
import { GenerationFacts, JobFacts } from './job-facts.tsx';
import { PrivateLog } from './private-log.tsx';
import { Outcome } from './result.tsx';
import { keptRequest } from './sent-requests.ts';
import { Timeline } from './timeline.tsx';
import { isOpen, useJob } from './use-jobs.ts';

export function JobPage({ id }: { readonly id: string }) {
  const job = useJob(id);
  return (
    <Page title={titleOf(job.data)} back={['/', 'Videos']} actions={job.data && <Actions job={job.data} />}>
      <Loaded query={job} what="the job">
        {(known) => <JobSections job={known} />}
      </Loaded>
    </Page>
  );
}

/** In a list of tabs and in the browser's history the beginning is enough. */
const LONGEST_TITLE = 80;

function titleOf(job: Job | undefined): string {
  if (job === undefined) return 'Video';
  const text = [...(promptOf(job) ?? `${job.model} ${job.id}`)];
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE).join('')}…` : text.join('');
}

const Actions = ({ job }: { readonly job: Job }) => (
  <>
    <JobActions job={job} />
    {!isOpen(job) && <JobMenu job={job} />}
  </>
);

/** The video and what it is, then all that one may want to know besides. */
function JobSections({ job }: { readonly job: Job }) {
  const { isManagement } = useSession();
  const prompt = promptOf(job);
  const { generation_id: generationId } = job;
  const tabs = [
    { name: 'Steps', children: <Timeline job={job} /> },
    { name: 'Webhook', children: <JobDeliveries job={job} /> },
    { name: 'Code', children: <JobCode id={job.id} /> },
  ];
  if (generationId !== undefined && isManagement && !isOpen(job)) {
    tabs.push({ name: 'Private log', children: <PrivateLog generationId={generationId} /> });
  }
  return (
    <>
      {prompt !== undefined && titleOf(job) !== prompt && <p class="whole-prompt">{prompt}</p>}
      <div class="job">
        <Outcome job={job} />
        <Section title="Details">
          <JobFacts job={job} />
          {generationId !== undefined && <GenerationFacts job={job} generationId={generationId} />}
        </Section>
      </div>
      <section class="card" aria-label="More about this video">
        <Tabs label="More about this video" tabs={tabs} />
      </section>
    </>
  );
}

function JobCode({ id }: { readonly id: string }) {
  const request = keptRequest(id);
  return (
    <div class="stack">
      <p class="quiet">
        {request === undefined
          ? 'Gets this video.'
          : 'Sends the request for this video again, which creates another video.'}
      </p>
      <CodeTabs jobId={id} body={request} />
    </div>
  );
}

/** The webhook of the job's end. */
function JobDeliveries({ job }: { readonly job: Job }) {
  const { api, scope, workspaceId } = useSession();
  const toast = useToast();
  const { data: webhook } = useWebhook(workspaceId);
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
  if (isOpen(job))
    return (
      <p class="quiet">
        When the job ends, Genway sends an event to the callback URL of the job. If the job has none, the
        event goes to the webhook URL of the workspace, unless that is missing or disabled.
      </p>
    );
  return (
    <Loaded query={deliveries} what="deliveries">
      {([delivery]) =>
        delivery === undefined ? (
          <p class="quiet">The event of this video has expired.</p>
        ) : (
          <>
            <DeliveryView delivery={delivery} />
            <RedeliverButton delivery={delivery} address={webhook?.default_callback_url} action={redeliver} />
          </>
        )
      }
    </Loaded>
  );
}
