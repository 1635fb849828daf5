import { RotateCw, Send } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Webhook } from '../api/types.ts';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Secret } from '../parts/copy-button.tsx';
import { Field, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { useWebhook } from '../session/use-workspaces.ts';

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
            For one day, Genway signs events with the old and the new secret. Update your receiver before the
            old secret expires.
          </p>
        </ConfirmButton>
      </div>
      {secret !== undefined && <Secret what="the secret" secret={secret} />}
    </div>
  );
}
