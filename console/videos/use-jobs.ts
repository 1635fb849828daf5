import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useAction, useSendOnce } from '../api/action.ts';
import { answered, present } from '../api/client.ts';
import type { Job, JobStatus, VideoRequest } from '../api/types.ts';
import { useSession } from '../session/session.tsx';
import { keepRequest } from './sent-requests.ts';

const WHILE_SOMETHING_MOVES = 1_500;
/** For jobs that programs submit meanwhile. */
const OTHERWISE = 10_000;
const PAGE = 24;

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress';

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly model?: string | undefined;
}

/** Newest first, and never older than some seconds. */
export function useJobs({ status, model }: JobFilter) {
  const { api, scope, workspaceId } = useSession();
  return useInfiniteQuery({
    queryKey: ['jobs', workspaceId, status, model],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const query = { ...scope, limit: PAGE, ...present({ status, model, cursor }) };
      return answered(api.GET('/videos', { params: { query } }));
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) ? WHILE_SOMETHING_MOVES : OTHERWISE,
  });
}

export function useJob(id: string) {
  const { api, scope, workspaceId } = useSession();
  return useQuery({
    queryKey: ['job', workspaceId, id],
    queryFn: () => answered(api.GET('/videos/{video}', { params: { path: { video: id }, query: scope } })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isOpen(state.data) ? WHILE_SOMETHING_MOVES : false,
  });
}

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
