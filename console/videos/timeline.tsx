import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

/** The steps of a job, and how long each took. */
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
    <Loaded query={events} what="the steps">
      {(known) => (
        <ol class="timeline">
          {known.map(({ at, status, detail }, place) => (
            <li key={`${at} ${status}`}>
              <StatusBadge status={status} /> <When at={at} />
              <span class="quiet">{took(at, known[place + 1]?.at)}</span>
              {detail !== undefined && detail !== job.error && <p>{detail}</p>}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** From one step to the next; nothing for the last. */
const took = (from: string, to: string | undefined): string =>
  to === undefined ? '' : ` for ${seconds((Date.parse(to) - Date.parse(from)) / 1000)}`;
