import { useQuery } from '@tanstack/preact-query';
import { Plug } from 'lucide-preact';
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

/** Without a provider, or with all endpoints paused or retired, there is nothing to choose. */
export function NoModels({ title }: { readonly title: string }) {
  return (
    <EmptyState icon={Plug} title={title}>
      <p>
        The deployment needs a provider in the setting <code>videos.providers</code>, with an endpoint that is
        neither paused nor retired.
      </p>
    </EmptyState>
  );
}
