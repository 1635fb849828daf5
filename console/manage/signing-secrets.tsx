import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import type { Webhook } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
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
  const rotate = async () => {
    const path = '/workspaces/{workspace}/webhook-secret/rotate';
    setSecret((await answered(api.POST(path, { params, body: {} }))).secret);
  };
  return (
    <div class="stack">
      <p class="quiet">
        Signing secrets: {secrets.map(({ name }) => name).join(', ') || 'none yet'}. After a rotation the old
        one signs for a day more.
      </p>
      <FailureNote error={reveal.error} />
      <div class="actions">
        <button type="button" disabled={reveal.isPending} onClick={() => reveal.mutate(undefined)}>
          Show the secret
        </button>
        <ConfirmButton label="Rotate the secret" stale={['webhook']} act={rotate}>
          <p>
            The one that signs now goes on beside the new one for a day. One from before it ends at once: is
            every receiver done with the rotation before?
          </p>
        </ConfirmButton>
      </div>
      {secret !== undefined && <SecretOnce what="the secret" secret={secret} />}
    </div>
  );
}
