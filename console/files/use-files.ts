import { useInfiniteQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { present } from '../parts/present.ts';
import { useSession } from '../session/session.ts';

/** Oldest first, as the API lists them. */
export function useFiles() {
  const { api, scope, workspaceId } = useSession();
  return useInfiniteQuery({
    queryKey: ['files', workspaceId],
    initialPageParam: undefined,
    queryFn: async ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const query = { ...scope, ...present({ cursor }) };
      const answer = api.GET('/files', { params: { query } });
      const page = await answered(answer);
      const files: StoredFile[] = page.data.flatMap((file) =>
        'downloadable' in file ? [ownShape(file)] : [],
      );
      const storage = storageIn((await answer).response.headers);
      return { files, storage, cursor: page.has_more ? page.last_id : null };
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** How many bytes the workspace uses and may use. Only the first page says it. */
function storageIn(headers: Headers): { readonly used: number; readonly limit: number } | undefined {
  const [used, limit] = [headers.get('x-storage-used'), headers.get('x-storage-limit')];
  return used === null || limit === null ? undefined : { used: Number(used), limit: Number(limit) };
}

/** A browser is neither of the clients that get another shape. */
function ownShape(file: Omit<StoredFile, '_shape'>): StoredFile {
  return { ...file, _shape: 'native' };
}
