import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { useSession, useWorkspaces } from '../session/session.tsx';

/** As many as the API gives at once. */
const A_PAGE = 100;

/** Of one workspace, or of all; disabled ones too. */
export function useKeys(workspaceId?: string) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['keys', workspaceId],
    queryFn: async () => {
      const all: Key[] = [];
      for (;;) {
        const where = workspaceId === undefined ? {} : { workspace_id: workspaceId };
        const query = { ...where, offset: all.length, include_disabled: 'true' as const };
        const { data } = await answered(api.GET('/keys', { params: { query } }));
        all.push(...data);
        if (data.length < A_PAGE) return all;
      }
    },
  });
}

/** Ids of workspaces and hashes of keys as people know them. */
export function useNames(): (id: string) => string {
  const { data: workspaces = [] } = useWorkspaces();
  const { data: keys = [] } = useKeys();
  const names = new Map([
    ...workspaces.map(({ id, name }) => [id, name] as const),
    ...keys.map(({ hash, name }) => [hash, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}
