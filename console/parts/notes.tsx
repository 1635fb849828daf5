import type { ComponentChildren } from 'preact';
import { ApiFailure, inWords } from '../api/client.ts';
import { When } from './values.tsx';

/** What went wrong, in words; with the name under which the deployment's log has it. */
export function FailureNote({ error }: { readonly error: Error | null | undefined }) {
  if (error === null || error === undefined) return null;
  const { requestId, resetsAt } = error instanceof ApiFailure ? error : {};
  return (
    <div class="failure" role="alert">
      <p>{inWords(error)}</p>
      {resetsAt !== undefined && (
        <p>
          Resets <When at={resetsAt} />
        </p>
      )}
      {requestId !== undefined && (
        <p class="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

/** Says what became of something. It is there while it is empty too: screen readers tell what changes in a place that they know. */
export function ResultNote({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="result" role="status">
      {children}
    </p>
  );
}
