import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { Loaded } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { useSession } from '../session/session.ts';

export function Timeline({ job }: { readonly job: Job }) {
  const { api, scope, workspaceId } = useSession();
  const events = useQuery({
    // What happened has changed whenever the job shows something else.
    queryKey: ['events', workspaceId, job.id, job.status, job.cancel_requested_at],
    queryFn: async () => {
      const params = { path: { video: job.id }, query: scope };
      return (await answered(api.GET('/videos/{video}/events', { params }))).data;
    },
  });
  return (
    <Loaded query={events} what="its history">
      {(known) => (
        <ol class="timeline">
          {known.map(({ at, status, detail }) => (
            <li key={`${at} ${status}`}>
              <StatusBadge status={status} /> <When at={at} />
              {detail !== undefined && <p>{detail}</p>}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
