import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { ActionForm, textIn } from '../parts/form.tsx';
import { useSession } from '../session/session.tsx';
import { useShowSecret } from '../session/shown-secrets.tsx';
import { changesIn, KeyFields, keyIn, scopeIn } from './key-fields.tsx';
import { likeness } from './likeness.ts';
import { PENDING_KEY } from './waiting-changes.tsx';

export function NewKey({ onDone }: { readonly onDone: () => void }) {
  const create = useCreateKey(onDone);
  return (
    <ActionForm action={create} submit="Create" onCancel={onDone}>
      <KeyFields />
      <label class="check">
        <input type="checkbox" name="management" value="yes" />
        <span>Management key: manages workspaces and this deployment, within its scope</span>
      </label>
    </ActionForm>
  );
}

function useCreateKey(onDone: () => void) {
  const { api, workspaceId } = useSession();
  const showSecret = useShowSecret();
  return useAction(
    (form: HTMLFormElement) => {
      const management = textIn(form, 'management') !== undefined;
      const body = { ...keyIn(form), scope: scopeIn(form), workspace_id: workspaceId, management };
      return answered(api.POST('/keys', { body }));
    },
    ['keys', 'approvals'],
    ({ data, key: secret }) => {
      onDone();
      const title = 'asked_by' in data ? PENDING_KEY : 'New key';
      showSecret({ title, what: 'the key', secret });
    },
  );
}

interface EditKeyProps {
  readonly apiKey: Key;
  readonly onDone: () => void;
}

export function EditKey({ apiKey: key, onDone }: EditKeyProps) {
  const { api } = useSession();
  const params = { path: { hash: key.hash } };
  const save = useAction(
    (form: HTMLFormElement) => answered(api.PATCH('/keys/{hash}', { params, body: changesIn(form, key) })),
    ['keys', 'current-key'],
    onDone,
  );
  return (
    <ActionForm action={save} submit="Save" done="Key saved" onCancel={onDone}>
      <KeyFields of={key} />
    </ActionForm>
  );
}

interface RotateKeyProps {
  readonly oldKey: Key;
  readonly onDone: () => void;
}

/** A new key like the old one first; the old one is disabled when the new one is in its place. */
export function RotateKey({ oldKey, onDone }: RotateKeyProps) {
  const { api } = useSession();
  const showSecret = useShowSecret();
  const create = useAction(
    () => answered(api.POST('/keys', { body: likeness(oldKey) })),
    ['keys', 'approvals'],
    ({ data, key: secret }) => {
      onDone();
      if ('asked_by' in data) {
        showSecret({ title: PENDING_KEY, what: 'the key', secret });
        return;
      }
      const next = (close: () => void) => <DisableOldKey oldKey={oldKey} onDone={close} />;
      showSecret({ title: `Rotate ${oldKey.name}`, what: 'the key', secret, next });
    },
  );
  return (
    <div class="stack">
      <p>
        Creates a key with the same settings and a usage of 0. Its scope cannot exceed yours. Through the API,
        add the hash of the new key to lists that contain the hash of the old key, such as
        allowed_api_key_hashes of a provider key. The old key works until you disable it or it expires.
      </p>
      <ActionButton action={create} kind="primary">
        Create new key
      </ActionButton>
    </div>
  );
}

function DisableOldKey({ oldKey, onDone }: RotateKeyProps) {
  const { api } = useSession();
  const params = { path: { hash: oldKey.hash } };
  const disable = useAction(
    () => answered(api.PATCH('/keys/{hash}', { params, body: { disabled: true } })),
    ['keys'],
    onDone,
  );
  return (
    <>
      <p>
        Disable the old key once your programs use the new one. Disabling it ends its jobs that no provider
        has accepted yet.
      </p>
      <ActionButton action={disable} kind="danger">
        Disable old key
      </ActionButton>
    </>
  );
}
