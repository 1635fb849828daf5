import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { Field } from '../parts/field.tsx';
import { textIn } from '../parts/form-values.ts';
import { SecretOnce } from '../parts/secret-once.tsx';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';
import { useSession } from '../session/session.ts';

/** Where the workspace's events go, who proves to be their sender, and a try. */
export function WebhookSettings({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const params = { path: { workspace: workspaceId } };
  const { data: webhook, error } = useQuery({
    queryKey: ['webhook', workspaceId],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/webhook', { params }))).data,
  });
  const save = useAction(
    (default_callback_url: string | null) =>
      answered(api.PUT('/workspaces/{workspace}/webhook', { params, body: { default_callback_url } })),
    ['webhook'],
  );
  const test = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook/test', { params, body: {} })),
    ['delivery-log'],
  );
  const address = webhook?.default_callback_url ?? null;
  return (
    <Section title="Webhook">
      <FailureNote error={error} />
      {webhook?.disabled && (
        <p class="warning">
          Nothing is sent there since <When at={webhook.disabled.at} />: the receiver{' '}
          {webhook.disabled.reason === 'gone' ? 'said that it is gone' : 'kept failing'}. Save the address to
          begin anew.
        </p>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(textIn(event.currentTarget, 'url') ?? null);
        }}
      >
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
        <FailureNote error={save.error} />
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
      </form>
      {test.isSuccess && <p role="status">It is on its way; the log below shows what became of it.</p>}
      <FailureNote error={test.error} />
      <SigningSecrets workspaceId={workspaceId} secrets={webhook?.signing_secrets ?? []} />
    </Section>
  );
}

interface SigningSecretsProps {
  readonly workspaceId: string;
  readonly secrets: readonly { name: string; expires_at: string | null }[];
}

function SigningSecrets({ workspaceId, secrets }: SigningSecretsProps) {
  const { api } = useSession();
  const [secret, setSecret] = useState<string>();
  const params = { path: { workspace: workspaceId } };
  const reveal = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook-secret/reveal', { params })),
    [],
    (answer) => setSecret(answer.secret),
  );
  const rotate = useAction(
    () => answered(api.POST('/workspaces/{workspace}/webhook-secret/rotate', { params, body: {} })),
    ['webhook'],
    (answer) => setSecret(answer.secret),
  );
  return (
    <div class="stack">
      <p class="quiet">
        Signing secrets: {secrets.map(({ name }) => name).join(', ') || 'none yet'}. After a rotation the old
        one signs for a day more.
      </p>
      <FailureNote error={reveal.error ?? rotate.error} />
      <div class="actions">
        <button type="button" disabled={reveal.isPending} onClick={() => reveal.mutate(undefined)}>
          Show the secret
        </button>
        <button type="button" disabled={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          Rotate the secret
        </button>
      </div>
      {secret !== undefined && <SecretOnce what="the secret" secret={secret} />}
    </div>
  );
}
