import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { answered, present } from '../api/client.ts';
import type { Job, JobStatus } from '../api/types.ts';
import { useSession } from '../session/session.tsx';

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
