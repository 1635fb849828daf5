import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Guardrail } from '../api/types.ts';
import { ActionForm, Field, LimitField, listIn, numberIn, ResetField, textIn } from '../parts/form.tsx';
import { useSession } from '../session/session.tsx';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;
const LISTS = [
  ['allowed_models', 'Allowed models', 'Comma-separated. Leave empty for all.'],
  ['ignored_models', 'Blocked models', 'Comma-separated.'],
  ['allowed_providers', 'Allowed providers', 'Comma-separated. Leave empty for all.'],
  ['ignored_providers', 'Blocked providers', 'Comma-separated.'],
] as const;

interface GuardrailFormProps {
  /** The one to change; without it, a new one. */
  readonly of?: Guardrail;
  readonly onDone: () => void;
}

export function GuardrailForm({ of: guardrail, onDone }: GuardrailFormProps) {
  const save = useSave(guardrail?.id, onDone);
  return (
    <ActionForm
      action={save}
      submit={guardrail === undefined ? 'Create' : 'Save'}
      done="Guardrail saved"
      onCancel={onDone}
    >
      <Field label="Name">
        {(field) => <input {...field} name="name" required defaultValue={guardrail?.name ?? ''} />}
      </Field>
      <Field label="Description">
        {(field) => <input {...field} name="description" defaultValue={guardrail?.description ?? ''} />}
      </Field>
      <div class="columns">
        {LISTS.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint}>
            {(field) => (
              <input
                {...field}
                name={name}
                spellcheck={false}
                defaultValue={guardrail?.[name]?.join(', ') ?? ''}
              />
            )}
          </Field>
        ))}
        <LimitField label="Spending limit, USD" of={guardrail?.limit_usd} />
        <ResetField of={guardrail?.reset_interval} />
      </div>
    </ActionForm>
  );
}

function useSave(id: string | undefined, onDone: () => void) {
  const { api, workspaceId } = useSession();
  return useAction<HTMLFormElement, unknown>(
    (form) => {
      const body = guardrailIn(form);
      if (id === undefined)
        return answered(api.POST('/guardrails', { body: { ...body, workspace_id: workspaceId } }));
      return answered(api.PATCH('/guardrails/{guardrail}', { params: { path: { guardrail: id } }, body }));
    },
    ['guardrails'],
    onDone,
  );
}

function guardrailIn(form: HTMLFormElement) {
  const reset = textIn(form, 'limit_reset');
  return {
    name: textIn(form, 'name') ?? '',
    description: textIn(form, 'description') ?? null,
    allowed_models: listIn(form, 'allowed_models'),
    ignored_models: listIn(form, 'ignored_models'),
    allowed_providers: listIn(form, 'allowed_providers'),
    ignored_providers: listIn(form, 'ignored_providers'),
    limit_usd: numberIn(form, 'limit') ?? null,
    reset_interval: INTERVALS.find((interval) => interval === reset) ?? null,
  };
}
