import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import type { Webhook } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { SecretOnce } from '../parts/secret-once.tsx';
import { useSession } from '../session/session.ts';

interface SigningSecretsProps {
  readonly workspaceId: string;
  readonly secrets: Webhook['signing_secrets'];
}

/** By which a receiver knows that an event is ours. */
export function SigningSecrets({ workspaceId, secrets }: SigningSecretsProps) {
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
