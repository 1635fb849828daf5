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
      const page = await answered(api.GET('/files', { params: { query } }));
      const files: StoredFile[] = page.data.flatMap((file) =>
        'downloadable' in file ? [ownShape(file)] : [],
      );
      return { files, cursor: page.has_more ? page.last_id : null };
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** A browser is neither of the clients that get another shape. */
function ownShape(file: Omit<StoredFile, '_shape'>): StoredFile {
  return { ...file, _shape: 'native' };
}
