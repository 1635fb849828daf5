import { useInfiniteQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered, present } from '../api/client.ts';
import type { Delivery } from '../api/types.ts';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { useWebhook } from '../session/use-workspaces.ts';

/** For jobs that end meanwhile. */
const OTHERWISE = 10_000;

export function DeliveryLog({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const list = useInfiniteQuery({
    queryKey: ['delivery-log', workspaceId],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const params = { path: { workspace: workspaceId }, query: { limit: 20, ...present({ cursor }) } };
      return answered(api.GET('/workspaces/{workspace}/webhook-deliveries', { params }));
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    refetchInterval: ({ state }) =>
      whileOnTheirWay(state.data?.pages.flatMap(({ data }) => data)) || OTHERWISE,
  });
  return (
    <Section title="Deliveries">
      <Loaded query={list} what="deliveries">
        {({ pages }) => (
          <Deliveries workspaceId={workspaceId} deliveries={pages.flatMap(({ data }) => data)} />
        )}
      </Loaded>
      <MoreButton list={list} />
    </Section>
  );
}

interface DeliveriesProps {
  readonly workspaceId: string;
  readonly deliveries: readonly Delivery[];
}

function Deliveries({ workspaceId, deliveries }: DeliveriesProps) {
  if (deliveries.length === 0)
    return <p class="quiet">No deliveries yet. Send a test event, or finish a job.</p>;
  return (
    <ul class="plain-list">
      {deliveries.map((delivery) => (
        <li key={delivery.id} class="delivery-row">
          <DeliveryView delivery={delivery} />
          <Redeliver workspaceId={workspaceId} delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

function Redeliver({ workspaceId, delivery }: { readonly workspaceId: string; readonly delivery: Delivery }) {
  const { api } = useSession();
  const toast = useToast();
  const { data: webhook } = useWebhook(workspaceId);
  const params = { path: { workspace: workspaceId, delivery: delivery.id } };
  const send = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook-deliveries/{delivery}/redeliver', { params })),
    ['delivery-log'],
    () => toast('Redelivery started'),
  );
  return (
    <div class="actions">
      <RedeliverButton delivery={delivery} address={webhook?.default_callback_url} action={send} />
    </div>
  );
}
