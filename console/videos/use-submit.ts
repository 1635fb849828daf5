import { useAction, useSendOnce } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { VideoRequest } from '../api/types.ts';
import { useSession } from '../session/session.tsx';
import { keepRequest } from './sent-requests.ts';

/** Submits a job once, also after a lost response. @param onDone gets the id of the job, unless another workspace was chosen meanwhile */
export function useSubmit(onDone: (jobId: string) => void) {
  const { api, scope, workspaceId } = useSession();
  const send = useSendOnce();
  return useAction(
    async (request: VideoRequest): Promise<{ id: string; of: string }> => {
      const job = await send([scope, request], (key) => {
        const params = { query: scope, header: { 'Idempotency-Key': key } };
        return answered(api.POST('/videos', { params, body: request }));
      });
      keepRequest(job.id, request);
      return { id: job.id, of: workspaceId };
    },
    ['jobs'],
    ({ id, of }) => {
      if (of === workspaceId) onDone(id);
    },
  );
}
