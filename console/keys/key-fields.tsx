import { present } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { Field, LimitField, numberIn, ResetField, textIn } from '../parts/form.tsx';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;

/** What can be changed of a key, or chosen for a new one. */
export function KeyFields({ of: key }: { readonly of?: Key }) {
  return (
    <>
      <Field label="Name">
        {(field) => <input {...field} name="name" required defaultValue={key?.name ?? ''} />}
      </Field>
      <div class="columns">
        <LimitField label="Limit, USD" of={key?.limit} />
        <ResetField name="limit_reset" of={key?.limit_reset} />
      </div>
      <Field label="Expires" hint="In UTC. Leave empty for never.">
        {(field) => (
          <input
            {...field}
            name="expires_at"
            type="datetime-local"
            step={1}
            defaultValue={key?.expires_at?.slice(0, 19) ?? ''}
          />
        )}
      </Field>
    </>
  );
}

/** What the fields hold, as the API takes it. */
export function keyIn(form: HTMLFormElement) {
  const [reset, expires] = [textIn(form, 'limit_reset'), textIn(form, 'expires_at')];
  return {
    name: textIn(form, 'name') ?? '',
    limit: numberIn(form, 'limit') ?? null,
    limit_reset: INTERVALS.find((interval) => interval === reset) ?? null,
    expires_at: expires === undefined ? null : new Date(`${expires}Z`).toISOString(),
  };
}

/** Only what differs: the API refuses an expiry that is over, even one that the key has already. */
export function changesIn(form: HTMLFormElement, key: Key) {
  const { name, limit, limit_reset, expires_at } = keyIn(form);
  const isSameEnd = expires_at?.slice(0, 19) === key.expires_at?.slice(0, 19);
  return present({
    name: name === key.name ? undefined : name,
    limit: limit === key.limit ? undefined : limit,
    limit_reset: limit_reset === key.limit_reset ? undefined : limit_reset,
    expires_at: isSameEnd ? undefined : expires_at,
  });
}
