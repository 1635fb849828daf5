import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useSession } from '../session/session.tsx';
import { isOpen } from './use-jobs.ts';

/** The webhook of the job's end. */
export function JobDeliveries({ job }: { readonly job: Job }) {
  const { api, scope, workspaceId } = useSession();
  const params = { path: { video: job.id }, query: scope };
  const deliveries = useQuery({
    queryKey: ['deliveries', workspaceId, job.id, job.status],
    queryFn: async () => (await answered(api.GET('/videos/{video}/deliveries', { params }))).data,
    refetchInterval: ({ state }) => whileOnTheirWay(state.data),
  });
  const redeliver = useAction(
    () => answered(api.POST('/videos/{video}/webhook/redeliver', { params })),
    ['deliveries'],
  );
  if (isOpen(job)) return <p class="quiet">It is sent when the job has ended.</p>;
  return (
    <Loaded query={deliveries} what="deliveries">
      {([delivery]) =>
        delivery === undefined ? (
          <p class="quiet">It is no longer kept.</p>
        ) : (
          <>
            <DeliveryView delivery={delivery} />
            <RedeliverButton delivery={delivery} action={redeliver} />
          </>
        )
      }
    </Loaded>
  );
}
