import { Field } from '../parts/field.tsx';
import type { DraftProps } from './submit-form.tsx';

/** What few need: where to be told of the end, and what only this provider knows. */
export function DeliveryFields({ model, draft, onChange }: DraftProps) {
  const options = model.allowed_passthrough_parameters;
  return (
    <details class="card">
      <summary>Webhook and provider options</summary>
      <div class="stack">
        <Field label="Callback URL" hint="https; without it the workspace’s own address is told">
          {(field) => (
            <input
              {...field}
              type="url"
              placeholder="https://…"
              value={draft.callbackUrl}
              onInput={({ currentTarget }) => onChange({ callbackUrl: currentTarget.value })}
            />
          )}
        </Field>
        {options.length > 0 && (
          <Field
            label="Provider options"
            hint={`JSON, a block by the name of the provider. Known: ${options.join(', ')}`}
          >
            {(field) => (
              <textarea
                {...field}
                rows={3}
                spellcheck={false}
                placeholder='{"sandbox": {}}'
                value={draft.options}
                onInput={({ currentTarget }) => onChange({ options: currentTarget.value })}
              />
            )}
          </Field>
        )}
      </div>
    </details>
  );
}
