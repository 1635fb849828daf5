import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import type { Webhook } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { Field } from '../parts/field.tsx';
import { textIn } from '../parts/form-values.ts';
import { Loaded } from '../parts/loaded.tsx';
import { ResultNote } from '../parts/result-note.tsx';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';
import { useSession } from '../session/session.ts';
import { SigningSecrets } from './signing-secrets.tsx';

/** Where the workspace's events go, who proves to be their sender, and a try. */
export function WebhookSettings({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const params = { path: { workspace: workspaceId } };
  const webhook = useQuery({
    queryKey: ['webhook', workspaceId],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/webhook', { params }))).data,
  });
  return (
    <Section title="Webhook">
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
      Nothing is sent there since <When at={at} />: the receiver{' '}
      {reason === 'gone' ? 'said that it is gone' : 'kept failing'}. Save the address to begin anew.
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
        <button type="submit" disabled={save.isPending}>
          Save the address
        </button>
        <button
          type="button"
          disabled={test.isPending || address === null}
          onClick={() => test.mutate(undefined)}
        >
          Send a test event
        </button>
      </div>
      <ResultNote>{save.isSuccess && 'The address is saved.'}</ResultNote>
      <ResultNote>{test.isSuccess && 'It is on its way; the log below shows what became of it.'}</ResultNote>
    </form>
  );
}

const AddressField = ({ address }: Pick<AddressFormProps, 'address'>) => (
  <Field label="Address" hint="https; jobs without an address of their own are told here">
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
  const params = { path: { workspace: workspaceId } };
  const save = useAction(
    (default_callback_url: string | null) =>
      answered(api.PUT('/workspaces/{workspace}/webhook', { params, body: { default_callback_url } })),
    ['webhook'],
  );
  const test = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook/test', { params, body: {} })),
    ['delivery-log'],
  );
  return { save, test };
}
