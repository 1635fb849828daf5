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

/** Takes the room that the content is about to take, so that nothing jumps. */
export function Loading({ what, tall = false }: LoadingProps) {
  return (
    <div class={tall ? 'loading tall' : 'loading'} role="status">
      Loading {what} …
    </div>
  );
}

/** Nothing is here yet, and what to do about it. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
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
    <button type="button" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      {list.isFetchingNextPage ? 'Loading …' : 'Show more'}
    </button>
  );
}
