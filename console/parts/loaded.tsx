import type { LucideIcon } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { FailureNote } from './notes.tsx';

interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: Error | null };
  readonly what: string;
  /** The content takes about the room of a form. */
  readonly tall?: boolean | undefined;
  readonly children: (data: Data) => ComponentChildren;
}

/**
 * Shows something once it is there. Before that it is unknown, which is not “none”: a form that took it for that would
 * delete what there is. What is there stays when it could not be loaded anew, and the reason stands above it.
 */
export function Loaded<Data>({ query: { data, error }, what, tall, children }: LoadedProps<Data>) {
  return (
    <>
      <FailureNote error={error} />
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Loading what={what} tall={tall} />}
    </>
  );
}

interface LoadingProps {
  readonly what: string;
  readonly tall?: boolean | undefined;
}

/** A skeleton that takes the room that the content is about to take, so that nothing jumps. */
export const Loading = ({ what, tall = false }: LoadingProps) => (
  <div class={tall ? 'loading skeleton tall' : 'loading skeleton'} role="status">
    <span class="spoken">Loading {what} …</span>
    <i />
    <i />
    <i />
    <i />
  </div>
);

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What to do about it. */
  readonly children: ComponentChildren;
}

/** Nothing is here yet, and the next step. */
export const EmptyState = ({ icon: Icon, title, children }: EmptyStateProps) => (
  <div class="empty">
    <Icon />
    <h2>{title}</h2>
    {children}
  </div>
);

interface NoneFoundProps extends MoreButtonProps {
  /** What is listed. */
  readonly what: string;
  /** What stands here once all of the list is known. */
  readonly children?: ComponentChildren;
}

/** Stands for an empty list. Others may follow an empty page, because the API reads only so many rows for each. */
export function NoneFound({ list, what, children }: NoneFoundProps) {
  if (!list.hasNextPage) return <>{children}</>;
  return <p class="quiet">No {what} found yet. Choose Show more to search further back.</p>;
}

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}

/** For a list that comes page by page. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <div class="actions">
      <button type="button" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {list.isFetchingNextPage ? 'Loading …' : 'Show more'}
      </button>
    </div>
  );
}
