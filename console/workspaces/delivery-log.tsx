import { useInfiniteQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered, present } from '../api/client.ts';
import type { Delivery } from '../api/types.ts';
import { useFilters } from '../parts/address.ts';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { SelectField } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { Loaded, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { useWebhook } from '../session/use-workspaces.ts';

const STATUSES = ['pending', 'delivered', 'failed', 'no_address'] as const;

/** For jobs that end meanwhile. */
const OTHERWISE = 10_000;

export function DeliveryLog({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const [filters, change] = useFilters('status');
  const status = STATUSES.find((each) => each === filters.status);
  const list = useInfiniteQuery({
    queryKey: ['delivery-log', workspaceId, status],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const params = {
        path: { workspace: workspaceId },
        query: { limit: 20, ...present({ cursor, status }) },
      };
      return answered(api.GET('/workspaces/{workspace}/webhook-deliveries', { params }));
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    refetchInterval: ({ state }) =>
      whileOnTheirWay(state.data?.pages.flatMap(({ data }) => data)) || OTHERWISE,
  });
  return (
    <Section title="Deliveries">
      <div class="filters">
        <SelectField
          label="Status"
          value={status ?? ''}
          choices={[['', 'All'], ...STATUSES.map((each) => [each, words(each)] as const)]}
          onChange={(chosen) => change({ status: chosen })}
        />
      </div>
      <Loaded query={list} what="deliveries">
        {({ pages }) => {
          const deliveries = pages.flatMap(({ data }) => data);
          if (deliveries.length > 0) return <Deliveries workspaceId={workspaceId} deliveries={deliveries} />;
          return (
            <NoneFound list={list} what="deliveries">
              <p class="quiet">
                {status === undefined
                  ? 'No deliveries in the last 30 days. Save a webhook URL, then send a test event or create a video.'
                  : 'No deliveries have this status.'}
              </p>
            </NoneFound>
          );
        }}
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
