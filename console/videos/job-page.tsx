import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { GenerationContent, Job } from '../api/types.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { byteSize, seconds, usd, words } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession, useWebhook, useWorkspaces } from '../session/session.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { promptOf } from './draft.ts';
import { JobActions, JobMenu } from './job-actions.tsx';
import { GenerationFacts, JobFacts } from './job-facts.tsx';
import { Outcome, Timeline } from './result.tsx';
import { keptRequest } from './sent-requests.ts';
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
          <p class="quiet">The event of this job has expired.</p>
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

/** Fetches the log only when the button is pressed: CloudTrail records every read. */
function PrivateLog({ generationId }: { readonly generationId: string }) {
  const { api, scope } = useSession();
  const look = useAction(
    () => answered(api.GET('/generation/content', { params: { query: { ...scope, id: generationId } } })),
    [],
  );
  if (look.data !== undefined) return <LoggedContent content={look.data.data} />;
  return (
    <>
      <Setting />
      <ActionButton action={look}>Show private log</ActionButton>
    </>
  );
}

function Setting() {
  const { workspaceId } = useSession();
  const { data: workspaces = [] } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined) return null;
  if (workspace.is_observability_io_logging_enabled)
    return <p class="quiet">Private logs are encrypted, and CloudTrail records every read.</p>;
  return (
    <p class="quiet">
      Private logs are off. Turn them on in the <Link href="/settings/private-logs">settings</Link> to log
      jobs that end from then on.
    </p>
  );
}

/** What went in, and what came out. */
function LoggedContent({ content }: { readonly content: GenerationContent }) {
  const { input, output, key_hash, total_cost, error } = content;
  const { width, height, duration, seed, generate_audio, options } = input.parameters;
  const asked = [
    `${width} × ${height}`,
    seconds(duration),
    generate_audio ? 'with audio' : 'silent',
    ...(seed === undefined ? [] : [`seed ${seed}`]),
  ];
  return (
    <div class="stack" data-testid="logged">
      <h3>Prompt</h3>
      <pre>{input.prompt}</pre>
      <p>
        {asked.join(', ')}; {usd(total_cost)}
      </p>
      {Object.keys(options).length > 0 && <pre>{JSON.stringify(options, null, 2)}</pre>}
      <Media title="Inputs" lines={input.media.map(inputLine)} />
      <Media title="Outputs" lines={output.media.map(outputLine)} />
      {error !== null && <p class="failure">{error.message}</p>}
      <p class="quiet">
        Key <code>{key_hash}</code>
      </p>
    </div>
  );
}

interface Line {
  readonly text: string;
  /** SHA-256, where the bytes or the address are known. */
  readonly digest: string | undefined;
}

function Media({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map(({ text, digest }, place) => (
          <li key={`${place} ${text}`}>
            {text} {digest !== undefined && <code>{digest}</code>}
          </li>
        ))}
      </ul>
    </>
  );
}

function inputLine(media: GenerationContent['input']['media'][number]): Line {
  const { role, name, filename, content_type, size_bytes, sha256, url_sha256 } = media;
  const size = size_bytes === undefined ? undefined : byteSize(size_bytes);
  const parts = [`${words(role)}: ${name}`, filename, content_type, size];
  return { text: parts.filter((part) => part !== undefined).join(', '), digest: sha256 ?? url_sha256 };
}

function outputLine(media: GenerationContent['output']['media'][number]): Line {
  return { text: `${media.content_type}, ${byteSize(media.size_bytes)}`, digest: media.sha256 };
}
