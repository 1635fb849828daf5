import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { ApiFailure } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { uploadFile } from '../api/upload.ts';
import { DropZone } from '../parts/drop-zone.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { useSession } from '../session/session.tsx';
import type { DraftInput, ReferenceKind } from './draft.ts';

interface InputDropProps {
  readonly label: string;
  /** The types that can be used here. */
  readonly types: readonly string[];
  readonly onInput: (input: DraftInput, file: StoredFile) => void;
}

/** Uploads what is dropped, and names it by its id: bodies of submits stay small. */
export function InputDrop({ label, types, onInput }: InputDropProps) {
  const { apiKey, scope, ended } = useSession();
  const [progress, setProgress] = useState(0);
  const upload = useAction(
    async (file: File) => {
      setProgress(0);
      refuseOthers(file, types);
      return uploadFile(file, {
        key: apiKey,
        workspaceId: scope.workspace_id,
        onProgress: setProgress,
        signals: [ended],
      });
    },
    ['files'],
    (stored) => onInput({ name: stored.filename, url: stored.id }, stored),
  );
  return (
    <div class="stack">
      <DropZone
        label={label}
        accept={types.join()}
        onFiles={([file]) => file !== undefined && upload.mutate(file)}
      >
        {upload.isPending && <progress aria-label="Upload" max={1} value={progress} />}
      </DropZone>
      <FailureNote error={upload.error} />
    </div>
  );
}

/** The file dialog offers only these types, but anything can be dropped. A type that the browser does not know is left to the API. */
function refuseOthers({ name, type }: File, types: readonly string[]): void {
  if (type === '' || types.includes(type)) return;
  throw new ApiFailure(0, `${name} is ${type}, which cannot be used here: ${types.join(', ')} can.`);
}

/** The files that the API takes as an input of each kind; clips come from an address. */
export const INPUT_TYPES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg'],
  video: [],
};
