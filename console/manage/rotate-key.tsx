import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { freeForm } from '../api/free-form.ts';
import type { Key } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { SecretOnce } from '../parts/secret-once.tsx';
import { useSession } from '../session/session.ts';

/** A new key like the old one first; the old one is disabled when the new one is in its place. */
export function RotateKey({ oldKey, onDone }: { readonly oldKey: Key; readonly onDone: () => void }) {
  const { api } = useSession();
  const [secret, setSecret] = useState<string>();
  const create = useAction(
    () => answered(api.POST('/keys', { body: likeness(oldKey) })),
    ['keys'],
    ({ key }) => setSecret(key),
  );
  const disable = useAction(
    () =>
      answered(
        api.PATCH('/keys/{hash}', { params: { path: { hash: oldKey.hash } }, body: { disabled: true } }),
      ),
    ['keys'],
    onDone,
  );
  if (secret === undefined) {
    return (
      <div class="stack">
        <p>A new key with the same name and limits is made. The old one works until you disable it.</p>
        <ActionButton action={create} kind="primary">
          Make the new key
        </ActionButton>
      </div>
    );
  }
  return (
    <div class="stack">
      <SecretOnce what="the key" secret={secret} />
      <p>When your program calls with the new key:</p>
      <ActionButton action={disable} kind="danger">
        Disable the old key
      </ActionButton>
    </div>
  );
}

function likeness(key: Key) {
  const { name, workspace_id, limit, limit_reset, include_byok_in_limit, expires_at, external_user } = key;
  const rates = Object.fromEntries(Object.entries(key.rate_limits).filter(([, rate]) => rate !== null));
  return {
    name,
    workspace_id,
    limit,
    limit_reset,
    include_byok_in_limit,
    expires_at,
    external_user,
    management: key.is_management_key,
    rate_limits: freeForm(rates),
  };
}
