import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { byteSize } from '../parts/format.ts';
import { LeftBar } from '../parts/left-bar.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { FileTable } from './file-table.tsx';
import { Uploads } from './uploads.tsx';
import { useFiles } from './use-files.ts';

export function FilesPage() {
  const list = useFiles();
  const files = list.data?.pages.flatMap(({ files: page }) => page) ?? [];
  const storage = list.data?.pages[0]?.storage;
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
      {storage !== undefined && <LeftBar name="Storage" {...storage} inWords={byteSize} />}
      {files.length > 0 && <FileTable files={files} />}
      <MoreButton
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Page>
  );
}
