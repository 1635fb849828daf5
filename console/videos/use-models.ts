import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { VideoModel } from '../api/types.ts';
import { useSession } from '../session/session.ts';

export function useModels() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['models'],
    queryFn: async (): Promise<readonly VideoModel[]> => (await answered(api.GET('/videos/models'))).data,
    staleTime: 60_000,
  });
}
