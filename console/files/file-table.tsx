import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { ConfirmButton, DownloadButton } from '../parts/action-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { byteSize } from '../parts/format.ts';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { Preview, useFileLink } from './preview.tsx';
import { previewKind } from './preview-kind.ts';

export function FileTable({ files }: { readonly files: readonly StoredFile[] }) {
  const [shown, setShown] = useState<StoredFile>();
  return (
    <>
      <Table columns={['Name', 'Type', 'Size', 'Uploaded', 'Ends', 'Actions']}>
        {files.map((file) => (
          <FileRow key={file.id} file={file} onPreview={() => setShown(file)} />
        ))}
      </Table>
      {shown !== undefined && (
        <Dialog title={shown.filename} onClose={() => setShown(undefined)}>
          <Preview file={shown} />
        </Dialog>
      )}
    </>
  );
}

function FileRow({ file, onPreview }: { readonly file: StoredFile; readonly onPreview: () => void }) {
  const { api, scope } = useSession();
  const { id, filename, mime_type, size_bytes, created_at, expires_at } = file;
  const askForLink = useFileLink(id);
  const remove = () =>
    answered(api.DELETE('/files/{file}', { params: { path: { file: id }, query: scope } }));
  return (
    <tr>
      <th scope="row" class="name">
        {filename}
      </th>
      <td>{mime_type}</td>
      <td>{byteSize(size_bytes)}</td>
      <td>
        <When at={created_at} />
      </td>
      <td>{expires_at === undefined ? 'when deleted' : <When at={expires_at} />}</td>
      <td class="row-actions">
        {previewKind(file) !== undefined && (
          <button type="button" aria-label={`Preview ${filename}`} onClick={onPreview}>
            Preview
          </button>
        )}
        <DownloadButton askForLink={askForLink} label={`Download ${filename}`}>
          Download
        </DownloadButton>
        <ConfirmButton label="Delete" of={filename} act={remove} stale={['files']}>
          <p>
            <b>{filename}</b> goes for everybody. Jobs that wait for it as an input fail.
          </p>
        </ConfirmButton>
      </td>
    </tr>
  );
}
