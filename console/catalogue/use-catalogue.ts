import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import { useSession } from '../session/session.tsx';

/** Every row of the catalogue, also those of providers that the deployment has no key for. */
export function useCatalogue() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['catalogue'],
    queryFn: async () => (await answered(api.GET('/endpoints'))).data,
    staleTime: 60_000,
  });
}
