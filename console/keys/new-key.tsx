import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import { ActionForm, Field, numberIn, textIn } from '../parts/form.tsx';
import { useSession } from '../session/session.tsx';
import { useShowSecret } from '../session/shown-secrets.tsx';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;

export function NewKey({ onDone }: { readonly onDone: () => void }) {
  const create = useCreateKey(onDone);
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

function useCreateKey(onDone: () => void) {
  const { api, workspaceId } = useSession();
  const showSecret = useShowSecret();
  return useAction(
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
    ({ key: secret }) => {
      onDone();
      showSecret({ title: 'New key', what: 'the key', secret });
    },
  );
}
