import { useEffect, useRef, useState } from 'preact/hooks';
import type { StoredFile } from '../api/types.ts';
import { uploadFile } from '../api/upload.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { byteSize } from '../parts/format.ts';
import { useSession } from '../session/session.ts';

interface UploadRowProps {
  readonly file: File;
  readonly onDone: () => void;
  readonly onForget: () => void;
}

type UploadState =
  | { readonly is: 'going' }
  | { readonly is: 'done'; readonly stored: StoredFile }
  | { readonly is: 'failed'; readonly error: Error };

export function UploadRow({ file, onDone, onForget }: UploadRowProps) {
  const { state, progress, stop } = useUpload(file, onDone);
  return (
    <div class="upload">
      <span class="name">{file.name}</span>
      <span class="quiet">{byteSize(file.size)}</span>
      {state.is === 'going' && (
        <>
          <progress aria-label={`Upload of ${file.name}`} max={1} value={progress} />
          <span class="quiet">{progress < 1 ? `${Math.floor(progress * 100)} %` : 'being checked'}</span>
          <button type="button" aria-label={`Stop the upload of ${file.name}`} onClick={stop}>
            Stop
          </button>
        </>
      )}
      <span class="result" role="status">
        {state.is === 'done' && `stored as ${state.stored.mime_type}`}
      </span>
      {state.is === 'failed' && <FailureNote error={state.error} />}
      {state.is !== 'going' && (
        <button type="button" aria-label={`Forget ${file.name}`} onClick={onForget}>
          ✕
        </button>
      )}
    </div>
  );
}

/** Begins to send as soon as it is shown, once. */
function useUpload(file: File, onDone: () => void) {
  const { apiKey, scope, ended } = useSession();
  const [progress, setProgress] = useState(0);
  const [state, setState] = useState<UploadState>({ is: 'going' });
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const signals = [stopping.current.signal, ended];
    uploadFile(file, { key: apiKey, workspaceId: scope.workspace_id, onProgress: setProgress, signals }).then(
      (stored) => {
        setState({ is: 'done', stored });
        onDone();
      },
      (error: Error) => setState({ is: 'failed', error }),
    );
  }, []);
  return { state, progress, stop: () => stopping.current.abort() };
}
