import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { VideoModel } from '../api/types.ts';
import { EmptyState } from '../parts/loaded.tsx';
import { useSession } from '../session/session.tsx';

export function useModels() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['models'],
    queryFn: async (): Promise<readonly VideoModel[]> => (await answered(api.GET('/videos/models'))).data,
    staleTime: 60_000,
  });
}

/** A deployment without providers makes no videos. */
export function NoModels({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title}>
      <p>
        The deployer names providers in <code>videos</code> of <code>config/stages/&lt;stage&gt;.json</code>.
      </p>
    </EmptyState>
  );
}
