import { answered } from '../api/client.ts';
import { useSession } from '../session/session.tsx';

/** Asks for a link to a job's video that is good for five minutes, without a key. */
export function useContentLink(id: string): () => Promise<string> {
  const { api, scope } = useSession();
  return async () => {
    const query = { ...scope, redirect: 'false' as const };
    const link = await answered(
      api.GET('/videos/{video}/content', { params: { path: { video: id }, query } }),
    );
    return link.url;
  };
}
