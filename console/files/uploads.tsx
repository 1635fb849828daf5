import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { DropZone } from '../parts/drop-zone.tsx';
import { useSession } from '../session/session.ts';
import { UploadRow } from './upload-row.tsx';

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
      <DropZone label="Drop files here, or choose them" multiple onFiles={add} />
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
