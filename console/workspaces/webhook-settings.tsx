import { useInfiniteQuery } from '@tanstack/preact-query';
import { RotateCw, Send } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered, present } from '../api/client.ts';
import type { Delivery, Webhook } from '../api/types.ts';
import { useFilters } from '../parts/address.ts';
import { Secret } from '../parts/buttons.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { DeliveryView, RedeliverButton, whileOnTheirWay } from '../parts/delivery.tsx';
import { Field, SelectField, textIn } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { Loaded, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { When } from '../parts/values.tsx';
import { useSession, useWebhook } from '../session/session.tsx';

/** Where the workspace's events go, who proves to be their sender, and a try. */
export function WebhookSettings({ workspaceId }: { readonly workspaceId: string }) {
  const webhook = useWebhook(workspaceId);
  return (
    <Section
      title="Webhook"
      about="When a job ends, Genway sends an event to the callback URL of the job. If the job has none, the event goes to the webhook URL, unless that is missing or disabled."
    >
      <Loaded query={webhook} what="the webhook" tall>
        {({ default_callback_url: address, disabled, signing_secrets }) => (
          <>
            {disabled !== null && <Disabled {...disabled} />}
            <AddressForm workspaceId={workspaceId} address={address} />
            <SigningSecrets workspaceId={workspaceId} secrets={signing_secrets} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Disabled({ at, reason }: NonNullable<Webhook['disabled']>) {
  return (
    <p class="warning">
      Deliveries to this URL were disabled on <When at={at} /> because the receiver{' '}
      {reason === 'gone' ? 'returned 410 Gone' : 'kept failing'}. Save the URL to enable them again.
    </p>
  );
}

interface AddressFormProps {
  readonly workspaceId: string;
  readonly address: string | null;
}

function AddressForm({ workspaceId, address }: AddressFormProps) {
  const { save, test } = useWebhookActions(workspaceId);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(textIn(event.currentTarget, 'url') ?? null);
      }}
    >
      <AddressField address={address} />
      <FailureNote error={save.error} />
      <FailureNote error={test.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={save.isPending}>
          Save
        </button>
        <button
          type="button"
          disabled={test.isPending || address === null}
          onClick={() => test.mutate(undefined)}
        >
          <Send />
          Send test event
        </button>
      </div>
    </form>
  );
}

const AddressField = ({ address }: Pick<AddressFormProps, 'address'>) => (
  <Field label="Webhook URL" hint="Used when a job has no callback URL.">
    {(field) => (
      <input
        {...field}
        key={address}
        name="url"
        type="url"
        placeholder="https://…"
        defaultValue={address ?? ''}
      />
    )}
  </Field>
);

function useWebhookActions(workspaceId: string) {
  const { api } = useSession();
  const toast = useToast();
  const params = { path: { workspace: workspaceId } };
  const save = useAction(
    (default_callback_url: string | null) =>
      answered(api.PUT('/workspaces/{workspace}/webhook', { params, body: { default_callback_url } })),
    ['webhook'],
    ({ data }) => toast(data.default_callback_url === null ? 'Webhook URL removed' : 'Webhook URL saved'),
  );
  const test = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook/test', { params, body: {} })),
    ['delivery-log'],
    () => toast('Test event queued'),
  );
  return { save, test };
}

interface SigningSecretsProps {
  readonly workspaceId: string;
  readonly secrets: Webhook['signing_secrets'];
}

/** With which a receiver verifies events. */
function SigningSecrets({ workspaceId, secrets }: SigningSecretsProps) {
  const { api } = useSession();
  const [secret, setSecret] = useState<string>();
  const params = { path: { workspace: workspaceId } };
  const reveal = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook-secret/reveal', { params })),
    [],
    (answer) => setSecret(answer.secret),
  );
  const rotate = async () => {
    const path = '/workspaces/{workspace}/webhook-secret/rotate';
    setSecret((await answered(api.POST(path, { params, body: {} }))).secret);
  };
  return (
    <div class="stack">
      <p class="quiet">
        Signing secrets:{' '}
        {secrets.map(({ name, expires_at: until }, index) => (
          <span key={name}>
            {index > 0 && ', '}
            {name}
            {until !== null && (
              <>
                {' '}
                until <When at={until} />
              </>
            )}
          </span>
        ))}
      </p>
      <FailureNote error={reveal.error} />
      <div class="actions">
        <button type="button" disabled={reveal.isPending} onClick={() => reveal.mutate(undefined)}>
          Reveal newest secret
        </button>
        <ConfirmButton
          label="Rotate secret"
          icon={RotateCw}
          stale={['webhook']}
          done="Signing secret rotated"
          act={rotate}
        >
          <p>
            For one day, Genway signs events with the old and the new secret. The x-openrouter-signature
            header, if sent, uses only the new secret. Update your receiver before the old secret expires.
          </p>
        </ConfirmButton>
      </div>
      {secret !== undefined && <Secret what="the secret" secret={secret} />}
    </div>
  );
}

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
