import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { useSession } from './session.tsx';

const MOST_A_PAGE = 100;

/** All of them, page after page. @param enabled whether the key may list them */
export function useWorkspaces(enabled = true) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['workspaces'],
    enabled,
    staleTime: 30_000,
    queryFn: async () => {
      const all: Workspace[] = [];
      for (;;) {
        const query = { offset: all.length, limit: MOST_A_PAGE };
        const { data, total_count } = await answered(api.GET('/workspaces', { params: { query } }));
        all.push(...data);
        if (data.length === 0 || all.length >= total_count) return all;
      }
    },
  });
}

/** Where a workspace's events go. Only management keys may read it. */
export function useWebhook(workspaceId: string) {
  const { api, isManagement } = useSession();
  const params = { path: { workspace: workspaceId } };
  return useQuery({
    queryKey: ['webhook', workspaceId],
    enabled: isManagement,
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/webhook', { params }))).data,
  });
}
