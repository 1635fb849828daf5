import { useEffect, useState } from 'preact/hooks';
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
  /** A file that was pasted elsewhere on the form, and belongs here. */
  readonly pasted?: File | undefined;
  readonly onInput: (input: DraftInput, file: StoredFile) => void;
}

/** Uploads what is dropped, pasted or chosen, and names it by its id: bodies of submits stay small. */
export function InputDrop({ label, types, pasted, onInput }: InputDropProps) {
  const { token, scope, ended } = useSession();
  const [progress, setProgress] = useState(0);
  const upload = useAction(
    async (file: File) => {
      setProgress(0);
      refuseOthers(file, types);
      const stored = await uploadFile(file, {
        token,
        workspaceId: scope.workspace_id,
        onProgress: setProgress,
        signals: [ended],
      });
      return { stored, picture: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined };
    },
    ['files'],
    ({ stored, picture }) => onInput({ name: stored.filename, url: stored.id, picture }, stored),
  );
  useEffect(() => {
    if (pasted !== undefined) upload.mutate(pasted);
  }, [pasted]);
  return (
    <>
      <DropZone
        label={label}
        accept={types.join()}
        onFiles={([file]) => file !== undefined && upload.mutate(file)}
      >
        <small>{upload.isPending ? 'Uploading' : 'Drop, paste or choose'}</small>
        {upload.isPending && <progress aria-label="Upload" max={1} value={progress} />}
      </DropZone>
      <FailureNote error={upload.error} />
    </>
  );
}

/** The file dialog offers only these types, but anything can be dropped. A type that the browser does not know is left to the API. */
function refuseOthers({ name, type }: File, types: readonly string[]): void {
  if (type === '' || types.includes(type)) return;
  throw new ApiFailure(0, `${name} has the type ${type}. Supported types: ${types.join(', ')}.`);
}

/** The files that the API takes as an input of each kind; clips are addresses or earlier videos. */
export const INPUT_TYPES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg'],
  video: [],
};
