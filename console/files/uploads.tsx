import { useQueryClient } from '@tanstack/preact-query';
import { X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StoredFile } from '../api/types.ts';
import { uploadFile } from '../api/upload.ts';
import { DropZone } from '../parts/drop-zone.tsx';
import { byteSize } from '../parts/format.ts';
import { FailureNote } from '../parts/notes.tsx';
import { useSession } from '../session/session.tsx';

interface Upload {
  readonly id: string;
  readonly file: File;
}

/** Each file that is dropped is sent at once, and shows how far it is. */
export function Uploads() {
  const { workspaceId } = useSession();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const add = (files: File[]) =>
    setUploads((now) => [...files.map((file) => ({ id: crypto.randomUUID(), file })), ...now]);
  const forget = (id: string) => setUploads((now) => now.filter((upload) => upload.id !== id));
  return (
    <div class="stack">
      <DropZone label="Drop files here, or choose files" multiple onFiles={add} />
      <ul class="plain-list" aria-label="Uploads">
        {uploads.map(({ id, file }) => (
          <li key={id}>
            <UploadRow
              file={file}
              onDone={() => void queries.invalidateQueries({ queryKey: ['files', workspaceId] })}
              onForget={() => forget(id)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface UploadRowProps {
  readonly file: File;
  readonly onDone: () => void;
  readonly onForget: () => void;
}

type UploadState =
  | { readonly is: 'going' }
  | { readonly is: 'done'; readonly stored: StoredFile }
  | { readonly is: 'failed'; readonly error: Error };

function UploadRow({ file, onDone, onForget }: UploadRowProps) {
  const { state, progress, stop } = useUpload(file, onDone);
  return (
    <div class="upload">
      <span class="name">{file.name}</span>
      <span class="quiet">{byteSize(file.size)}</span>
      {state.is === 'going' && (
        <>
          <progress aria-label={`Upload of ${file.name}`} max={1} value={progress} />
          <span class="quiet">{progress < 1 ? `${Math.floor(progress * 100)}%` : 'checking'}</span>
          <button type="button" aria-label={`Stop the upload of ${file.name}`} onClick={stop}>
            Stop
          </button>
        </>
      )}
      <span class="result" role="status">
        {state.is === 'done' && `Stored as ${state.stored.mime_type}`}
      </span>
      {state.is === 'failed' && <FailureNote error={state.error} />}
      {state.is !== 'going' && (
        <button type="button" class="plain icon" aria-label={`Dismiss ${file.name}`} onClick={onForget}>
          <X />
        </button>
      )}
    </div>
  );
}

/** Begins to send as soon as it is shown, once. */
function useUpload(file: File, onDone: () => void) {
  const { token, scope, ended } = useSession();
  const [progress, setProgress] = useState(0);
  const [state, setState] = useState<UploadState>({ is: 'going' });
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const signals = [stopping.current.signal, ended];
    uploadFile(file, { token, workspaceId: scope.workspace_id, onProgress: setProgress, signals }).then(
      (stored) => {
        setState({ is: 'done', stored });
        onDone();
      },
      (error: Error) => setState({ is: 'failed', error }),
    );
  }, []);
  return { state, progress, stop: () => stopping.current.abort() };
}
