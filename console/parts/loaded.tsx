import type { ComponentChildren } from 'preact';
import { FailureNote } from './failure-note.tsx';
import { Loading } from './loading.tsx';

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
