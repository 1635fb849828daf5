import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { byteSize } from '../parts/format.ts';
import { Loading } from '../parts/loading.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { FileTable } from './file-table.tsx';
import { Uploads } from './uploads.tsx';
import { useFiles } from './use-files.ts';

export function FilesPage() {
  const list = useFiles();
  const files = list.data?.pages.flatMap(({ files: page }) => page) ?? [];
  const total = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return (
    <Page title="Files">
      <Uploads />
      <FailureNote error={list.error} />
      {list.isPending && <Loading what="files" />}
      {list.isSuccess && files.length === 0 && (
        <EmptyState title="No files yet">
          <p>Drop one above: a PDF, an image, a sound, an Office document or text, up to 100 MiB.</p>
        </EmptyState>
      )}
      {files.length > 0 && (
        <>
          <p class="quiet">
            {files.length}
            {list.hasNextPage ? ' or more' : ''} files take {byteSize(total)} of what the workspace may store.
          </p>
          <FileTable files={files} />
        </>
      )}
      <MoreButton
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Page>
  );
}
