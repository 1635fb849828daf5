import { answered } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { useSession } from '../session/session.ts';

/** Asks for a link to a file's bytes that is good for five minutes, without a key. */
export function useFileLink(id: string): () => Promise<string> {
  const { api, scope } = useSession();
  return async () => {
    const query = { ...scope, redirect: 'false' as const };
    const link = await answered(api.GET('/files/{file}/content', { params: { path: { file: id }, query } }));
    if (typeof link === 'string') throw new ApiFailure(200, 'The API sent the file instead of a link to it');
    return link.url;
  };
}
