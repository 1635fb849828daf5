import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { Download, Eye, Files, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered, present } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { byteSize } from '../parts/format.ts';
import { EmptyState, Loading, MoreButton } from '../parts/loaded.tsx';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { LimitBar, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { FileThumbnail, hasThumbnail, Preview, useFileLink } from './preview.tsx';
import { previewKind } from './preview-kind.ts';
import { Uploads } from './uploads.tsx';

export function FilesPage() {
  const list = useFiles();
  const files = list.data?.pages.flatMap(({ files: page }) => page) ?? [];
  const { data: storage } = useStorage();
  return (
    <Page title="Files">
      <Uploads />
      <FailureNote error={list.error} />
      {list.isPending && <Loading what="files" />}
      {list.isSuccess && files.length === 0 && (
        <EmptyState icon={Files} title="No files yet">
          <p>Upload a PDF, image, audio clip, Office document or text file.</p>
        </EmptyState>
      )}
      {storage && <LimitBar name="Storage" {...storage} taken="used" inWords={byteSize} />}
      {files.length > 0 && <FileTable files={files} />}
      <MoreButton list={list} />
    </Page>
  );
}

/** Newest first, as videos are. */
function useFiles() {
  const { api, scope, workspaceId } = useSession();
  return useInfiniteQuery({
    queryKey: ['files', workspaceId],
    initialPageParam: undefined,
    queryFn: async ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const query = { ...scope, order: 'desc' as const, ...present({ cursor }) };
      const page = await answered(api.GET('/files', { params: { query } }));
      const files: StoredFile[] = page.data.flatMap((file) =>
        'downloadable' in file ? [ownShape(file)] : [],
      );
      return { files, cursor: page.has_more ? page.last_id : null };
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** How many bytes the workspace uses and may use. Only the first page of the oldest files says it. */
function useStorage() {
  const { api, scope, workspaceId } = useSession();
  return useQuery({
    queryKey: ['files', workspaceId, 'storage'],
    queryFn: async () => {
      const answer = api.GET('/files', { params: { query: { ...scope, limit: 1 } } });
      await answered(answer);
      const { headers } = (await answer).response;
      const [used, limit] = [headers.get('x-storage-used'), headers.get('x-storage-limit')];
      return used === null || limit === null ? null : { used: Number(used), limit: Number(limit) };
    },
  });
}

/** A browser is neither of the clients that get another shape. */
function ownShape(file: Omit<StoredFile, '_shape'>): StoredFile {
  return { ...file, _shape: 'native' };
}

function FileTable({ files }: { readonly files: readonly StoredFile[] }) {
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
