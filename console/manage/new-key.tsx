import { useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Field } from '../parts/field.tsx';
import { numberIn, textIn } from '../parts/form-values.ts';
import { SecretOnce } from '../parts/secret-once.tsx';
import { useSession } from '../session/session.ts';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;

export function NewKey({ onDone }: { readonly onDone: () => void }) {
  const { api, workspaceId } = useSession();
  const [secret, setSecret] = useState<string>();
  const create = useAction(
    (form: HTMLFormElement) => {
      const reset = textIn(form, 'limit_reset');
      const body = {
        name: textIn(form, 'name') ?? '',
        workspace_id: workspaceId,
        limit: numberIn(form, 'limit') ?? null,
        limit_reset: INTERVALS.find((interval) => interval === reset) ?? null,
        management: textIn(form, 'management') !== undefined,
      };
      return answered(api.POST('/keys', { body }));
    },
    ['keys'],
    ({ key }) => setSecret(key),
  );
  if (secret !== undefined) {
    return (
      <div class="stack">
        <SecretOnce what="the key" secret={secret} />
        <button type="button" onClick={onDone}>
          I have it
        </button>
      </div>
    );
  }
  return (
    <ActionForm action={create} submit="Create" kind="primary">
      <Field label="Name">{(field) => <input {...field} name="name" required />}</Field>
      <div class="columns">
        <Field label="Limit, USD">
          {(field) => <input {...field} name="limit" type="number" min={0} step="any" placeholder="none" />}
        </Field>
        <Field label="It starts anew">
          {(field) => (
            <select {...field} name="limit_reset">
              <option value="">never</option>
              {INTERVALS.map((interval) => (
                <option key={interval}>{interval}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <label class="check">
        <input type="checkbox" name="management" value="yes" />
        <span>A management key: it may do everything, in every workspace.</span>
      </label>
    </ActionForm>
  );
}
