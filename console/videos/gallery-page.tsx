import { useQuery } from '@tanstack/preact-query';
import { Circle, CircleCheck, Film, Plus, SearchX } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered, present } from '../api/client.ts';
import type { Job, JobStatus } from '../api/types.ts';
import { useKeys } from '../keys/use-keys.ts';
import { useFilters } from '../parts/address.ts';
import { SelectField } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { EmptyState, Loading, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page, Section } from '../parts/page.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { promptOf } from './draft.ts';
import { Cost } from './job-facts.tsx';
import { useModels } from './models.tsx';
import { Still } from './screen.tsx';
import { type JobFilter, useJobs } from './use-jobs.ts';

export function GalleryPage() {
  const [filters, setFilter] = useFilters('status', 'model');
  const filter = { ...filters, status: STATUSES.find((status) => status === filters.status) };
  const isFiltered = filter.status !== undefined || filter.model !== undefined;
  const { isManagement } = useSession();
  const list = useJobs(filter);
  const jobs = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const newVideo = (
    <Link href="/playground" class="button primary">
      <Plus />
      New video
    </Link>
  );
  return (
    <Page title="Videos" actions={newVideo}>
      {isManagement && list.isSuccess && !isFiltered && <FirstSteps hasVideos={jobs.length > 0} />}
      <Filters filter={filter} onChange={setFilter} />
      <FailureNote error={list.error} />
      {list.isPending && <Loading what="videos" />}
      <p class="spoken" role="status">
        {list.isSuccess && counted(jobs.length, list.hasNextPage)}
      </p>
      {list.isSuccess && jobs.length === 0 && (
        <NoneFound list={list} what="videos">
          <NothingHere isFiltered={isFiltered} />
        </NoneFound>
      )}
      <ul class="gallery" aria-label="Videos">
        {jobs.map((job) => (
          <li key={job.id}>
            <VideoCard job={job} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </Page>
  );
}

const counted = (count: number, hasMore: boolean): string =>
  `${count} ${count === 1 ? 'video' : 'videos'}${hasMore ? ', more available' : ''}`;

function NothingHere({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No videos match these filters">
        <p>Choose another status or model.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Film} title="No videos yet">
      <p>Choose a model and describe a video.</p>
      <Link href="/playground" class="button primary">
        New video
      </Link>
    </EmptyState>
  );
}

const STATUSES: readonly JobStatus[] = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'expired',
];
const ANY = ['', 'All'] as const;

interface FiltersProps {
  readonly filter: JobFilter;
  readonly onChange: (filter: JobFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const { data: models = [] } = useModels();
  return (
    <div class="filters">
      <SelectField
        label="Status"
        value={filter.status ?? ''}
        choices={[ANY, ...STATUSES.map((status) => [status, words(status)] as const)]}
        onChange={(status) => onChange({ ...filter, status: status === '' ? undefined : status })}
      />
      <SelectField
        label="Model"
        value={filter.model ?? ''}
        choices={[ANY, ...models.map(({ id, name }) => [id, name] as const)]}
        onChange={(model) => onChange({ ...filter, model: model === '' ? undefined : model })}
      />
    </div>
  );
}

function VideoCard({ job }: { readonly job: Job }) {
  const prompt = promptOf(job);
  return (
    <article class="video-card">
      <div class="stage">
        <Still job={job} />
      </div>
      <div class="about">
        <Link
          href={`/videos/${job.id}`}
          class={prompt === undefined ? 'prompt quiet' : 'prompt'}
          title={prompt}
        >
          {prompt ?? job.id}
        </Link>
        <p class="facts">
          <StatusBadge status={job.status} />
          <span class="quiet">
            <When at={job.created_at} />
          </span>
        </p>
        <p class="facts">
          <span class="model quiet">{job.model}</span>
          <Cost job={job} />
        </p>
      </div>
    </article>
  );
}

/** Each looks through a hundred events, however few are wanted. A workspace with more than these is not new. */
const MOST_PAGES = 10;

/** Whether a receiver has taken an event of the workspace; null where that cannot be told. */
function useHasDelivered(workspaceId: string) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['delivery-log', workspaceId, 'delivered'],
    queryFn: async () => {
      const path = { workspace: workspaceId };
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = { status: 'delivered', limit: 1, ...present({ cursor }) } as const;
        const found = await answered(
          api.GET('/workspaces/{workspace}/webhook-deliveries', { params: { path, query } }),
        );
        if (found.data.length > 0) return true;
        if (found.cursor === null) return false;
        cursor = found.cursor;
      }
      return null;
    },
  });
}

/** What a new workspace needs, until it has all of it. */
function FirstSteps({ hasVideos }: { readonly hasVideos: boolean }) {
  const { currentKey, workspaceId } = useSession();
  const keys = useKeys(workspaceId);
  const delivered = useHasDelivered(workspaceId);
  if (keys.data === undefined || delivered.data === undefined) return null;
  const steps = [
    ['/playground', 'Create a video', hasVideos],
    ['/keys', 'Create a key', keys.data.some(({ hash }) => hash !== currentKey.hash)],
    ['/settings/webhook', 'Receive a webhook', delivered.data],
  ] as const;
  if (steps.every(([, , isDone]) => isDone !== false)) return null;
  return (
    <Section title="Get started">
      <ol class="steps">
        {steps.map(([path, name, isDone]) => (
          <li key={path} class={isDone ? 'quiet' : ''}>
            {isDone ? <CircleCheck class="done" /> : <Circle />}
            {isDone ? (
              <span>
                {name}
                <span class="spoken"> (done)</span>
              </span>
            ) : (
              <Link href={path}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
