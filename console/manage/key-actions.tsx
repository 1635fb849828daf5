import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { useSession } from '../session/session.ts';
import { RotateKey } from './rotate-key.tsx';

export function KeyActions({ apiKey: key }: { readonly apiKey: Key }) {
  const { api, currentKey } = useSession();
  const params = { path: { hash: key.hash } };
  const turn = useAction(
    (disabled: boolean) => answered(api.PATCH('/keys/{hash}', { params, body: { disabled } })),
    ['keys'],
  );
  // No key can lock itself out; the API refuses it too.
  if (key.hash === currentKey.hash) return <span class="quiet">this is yours</span>;
  return (
    <>
      <DialogButton label="Rotate" of={key.name} title={`Rotate ${key.name}`}>
        {(close) => <RotateKey oldKey={key} onDone={close} />}
      </DialogButton>
      <button
        type="button"
        aria-label={`${key.disabled ? 'Enable' : 'Disable'} ${key.name}`}
        disabled={turn.isPending}
        onClick={() => turn.mutate(!key.disabled)}
      >
        {key.disabled ? 'Enable' : 'Disable'}
      </button>
      <ConfirmButton
        label="Delete"
        of={key.name}
        stale={['keys']}
        act={() => answered(api.DELETE('/keys/{hash}', { params }))}
      >
        <p>
          Whoever calls with <b>{key.name}</b> is refused from now on.
        </p>
      </ConfirmButton>
      <FailureNote error={turn.error} />
    </>
  );
}
