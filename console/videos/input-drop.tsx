import { useState } from 'preact/hooks';
import type { StoredFile } from '../api/types.ts';
import { uploadFile } from '../api/upload.ts';
import { useAction } from '../api/use-action.ts';
import { DropZone } from '../parts/drop-zone.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { useSession } from '../session/session.ts';
import type { DraftInput } from './draft.ts';

interface InputDropProps {
  readonly label: string;
  readonly accept: string;
  readonly onInput: (input: DraftInput, file: StoredFile) => void;
}

/** Uploads what is dropped, and names it by its id: bodies of submits stay small. */
export function InputDrop({ label, accept, onInput }: InputDropProps) {
  const { apiKey, scope } = useSession();
  const [progress, setProgress] = useState(0);
  const upload = useAction(
    (file: File) => {
      setProgress(0);
      const { signal } = new AbortController();
      return uploadFile(file, {
        key: apiKey,
        workspaceId: scope.workspace_id,
        onProgress: setProgress,
        signal,
      });
    },
    ['files'],
    (stored) => onInput({ name: stored.filename, url: stored.id }, stored),
  );
  return (
    <div class="stack">
      <DropZone label={label} accept={accept} onFiles={([file]) => file !== undefined && upload.mutate(file)}>
        {upload.isPending && <progress aria-label="Upload" max={1} value={progress} />}
      </DropZone>
      <FailureNote error={upload.error} />
    </div>
  );
}
