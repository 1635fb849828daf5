import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { ActionForm, textIn } from '../parts/form.tsx';
import { useSession } from '../session/session.tsx';
import { useShowSecret } from '../session/shown-secrets.tsx';
import { changesIn, KeyFields, keyIn, scopeIn } from './key-fields.tsx';
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
