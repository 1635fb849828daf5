import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { EVERYTHING, Filters, type JobFilter } from './filters.tsx';
import { useJobs } from './use-jobs.ts';
import { VideoCard } from './video-card.tsx';

export function GalleryPage() {
  const [filter, setFilter] = useState<JobFilter>(EVERYTHING);
  const list = useJobs(filter);
  const jobs = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const newVideo = (
    <Link href="/videos/new" class="button primary">
      New video
    </Link>
  );
  return (
    <Page title="Videos" actions={newVideo}>
      <Filters filter={filter} onChange={setFilter} />
      <FailureNote error={list.error} />
      {list.isPending && <Loading what="videos" />}
      <p class="spoken" role="status">
        {list.isSuccess && counted(jobs.length, list.hasNextPage)}
      </p>
      {list.isSuccess && jobs.length === 0 && <NothingHere isFiltered={filter !== EVERYTHING} />}
      <ul class="gallery" aria-label="Videos">
        {jobs.map((job) => (
          <li key={job.id}>
            <VideoCard job={job} />
          </li>
        ))}
      </ul>
      <MoreButton
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Page>
  );
}

const counted = (count: number, hasMore: boolean): string =>
  `${count} ${count === 1 ? 'video' : 'videos'}${hasMore ? ', and more' : ''}`;

function NothingHere({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No video is like that">
        <p>Choose another status or model above.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No videos yet">
      <p>
        <Link href="/videos/new">Make the first one</Link>: choose a model and say what it is to show.
      </p>
    </EmptyState>
  );
}
