import { Download, Eye, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { byteSize } from '../parts/format.ts';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { FileThumbnail, hasThumbnail, Preview, useFileLink } from './preview.tsx';
import { previewKind } from './preview-kind.ts';

export function FileTable({ files }: { readonly files: readonly StoredFile[] }) {
  const [shown, setShown] = useState<StoredFile>();
  return (
    <>
      <Table
        columns={['Name', 'Type', 'Size', 'Uploaded', 'Expires']}
        rows={files.map((file) => ({
          key: file.id,
          cells: [
            <span key="name" class="file-name">
              {hasThumbnail(file) && <FileThumbnail file={file} />}
              {file.filename}
            </span>,
            file.mime_type,
            byteSize(file.size_bytes),
            <When key="uploaded" at={file.created_at} />,
            file.expires_at === undefined ? 'Never' : <When key="end" at={file.expires_at} />,
          ],
          menu: <FileMenu file={file} onPreview={() => setShown(file)} />,
        }))}
      />
      {shown !== undefined && (
        <Dialog title={shown.filename} kind="wide" onClose={() => setShown(undefined)}>
          <Preview file={shown} />
        </Dialog>
      )}
    </>
  );
}

function FileMenu({ file, onPreview }: { readonly file: StoredFile; readonly onPreview: () => void }) {
  const { api, scope } = useSession();
  const { id, filename } = file;
  const askForLink = useFileLink(id);
  const download = useAction(async () => window.location.assign(await askForLink()), []);
  const remove = (close: () => void) => (
    <Confirm
      label="Delete"
      stale={['files']}
      done={`${filename} deleted`}
      onClose={close}
      act={() => answered(api.DELETE('/files/{file}', { params: { path: { file: id }, query: scope } }))}
    >
      <p>
        Deletes <b>{filename}</b> for everyone in this workspace. Jobs that still need it as an input will
        fail.
      </p>
    </Confirm>
  );
  const preview: readonly MenuItem[] =
    previewKind(file) === undefined ? [] : [{ label: 'Preview', icon: Eye, onSelect: onPreview }];
  return (
    <>
      <RowMenu
        of={filename}
        items={[
          ...preview,
          { label: 'Download', icon: Download, onSelect: () => download.mutate(undefined) },
          {
            label: 'Delete',
            icon: Trash2,
            kind: 'danger',
            dialog: { title: 'Delete file?', children: remove },
          },
        ]}
      />
      <FailureNote error={download.error} />
    </>
  );
}
