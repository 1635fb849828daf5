import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { Files } from 'lucide-preact';
import { answered, present } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { byteSize } from '../parts/format.ts';
import { EmptyState, Loading, MoreButton } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page } from '../parts/page.tsx';
import { LimitBar } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { FileTable } from './file-table.tsx';
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
