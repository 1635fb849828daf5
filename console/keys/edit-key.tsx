import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { ActionForm } from '../parts/form.tsx';
import { useSession } from '../session/session.tsx';
import { changesIn, KeyFields } from './key-fields.tsx';

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
    <ActionForm action={save} submit="Save" kind="primary" done="Key saved" onCancel={onDone}>
      <KeyFields of={key} />
    </ActionForm>
  );
}
