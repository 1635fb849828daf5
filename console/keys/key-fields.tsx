import { present } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { useGuardrails } from '../guardrails/guardrails-page.tsx';
import { Field, LimitField, listIn, numberIn, ResetField, textIn } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { useSession } from '../session/session.tsx';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;
const RATES = [
  ['submit', 'Submissions'],
  ['upload', 'Uploads'],
  ['read', 'Reads'],
  ['admin', 'Management'],
] as const;
type Scope = Key['scope'];
type Operation = NonNullable<Scope['operations']>[number];
const OPERATIONS: Readonly<Record<Operation, string>> = {
  read: 'List videos and files and, with a management key, view settings, usage and the audit trail',
  content: 'Play and download videos, download files and, with a management key, read private logs',
  generate: 'Create and delete videos and files',
  keys: 'Manage keys and provider keys, and assign guardrails (management keys only)',
  workspaces: 'Manage workspaces and guardrails (management keys only)',
  money: 'Manage budgets and credits (management keys only)',
  catalogue: 'Manage the catalogue (management keys only)',
  webhooks: 'Redeliver events and, with a management key, manage webhooks and broadcast destinations',
};

/** What can be changed of a key, or chosen for a new one. */
export function KeyFields({ of: key }: { readonly of?: Key }) {
  return (
    <>
      <Field label="Name">
        {(field) => <input {...field} name="name" required defaultValue={key?.name ?? ''} />}
      </Field>
      <div class="columns">
        <LimitField label="Limit, USD" of={key?.limit} />
        <ResetField of={key?.limit_reset} />
      </div>
      <Field
        label="Expires"
        hint="In your time zone. Empty: never. If your own key expires, this one must expire by then."
      >
        {(field) => (
          <input
            {...field}
            name="expires_at"
            type="datetime-local"
            step={1}
            defaultValue={localTime(key?.expires_at)}
          />
        )}
      </Field>
      <GuardrailField of={key} />
      <details>
        <summary>Rate limits</summary>
        <div class="columns">
          {RATES.map(([name, label]) => (
            <Field key={name} label={label}>
              {(field) => (
                <input
                  {...field}
                  name={`rate_${name}`}
                  type="number"
                  min={1}
                  step={1}
                  placeholder="Default"
                  defaultValue={key?.rate_limits[name] ?? ''}
                />
              )}
            </Field>
          ))}
        </div>
        <p class="quiet">Requests per minute.</p>
      </details>
      {key === undefined ? <ScopeFields /> : <ScopeNote scope={key.scope} />}
    </>
  );
}

function GuardrailField({ of: key }: { readonly of: Key | undefined }) {
  const { workspaceId } = useSession();
  const { data: guardrails = [] } = useGuardrails(key?.workspace_id ?? workspaceId);
  return (
    <Field label="Guardrail">
      {(field) => (
        // Its value can be chosen only once the guardrails are there.
        <select {...field} key={guardrails.length} name="guardrail_id" defaultValue={key?.guardrail_id ?? ''}>
          <option value="">Workspace default</option>
          {guardrails.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function ScopeFields() {
  return (
    <details>
      <summary>Scope</summary>
      <div class="stack">
        <p class="quiet">
          Fields that you leave empty inherit your own restrictions. You cannot change the scope later.
        </p>
        <fieldset class="stack">
          <legend>Operations</legend>
          {Object.entries(OPERATIONS).map(([name, label]) => (
            <label key={name} class="check">
              <input type="checkbox" name="operations" value={name} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <Field label="Networks" hint="CIDR blocks, comma-separated.">
          {(field) => <input {...field} name="networks" spellcheck={false} placeholder="203.0.113.0/24" />}
        </Field>
        <Field label="Workspaces" hint="Slugs, comma-separated. For management keys.">
          {(field) => <input {...field} name="workspaces" spellcheck={false} />}
        </Field>
      </div>
    </details>
  );
}

/** What a key may do, as its scope says. */
function ScopeNote({ scope: { operations, networks, workspaces } }: { readonly scope: Scope }) {
  const limits = [
    operations && `operations: ${operations.map(words).join(', ')}`,
    networks && `networks: ${networks.join(', ')}`,
    workspaces && `${workspaces.length} ${workspaces.length === 1 ? 'workspace' : 'workspaces'}`,
  ].filter((each) => each !== null);
  return limits.length > 0 && <p class="quiet">Scope: {limits.join('; ')}.</p>;
}

/** As the browser's field takes it: Swedish writes a moment as ISO 8601 does. */
const localTime = (iso: string | null | undefined): string =>
  iso ? new Date(iso).toLocaleString('sv').replace(' ', 'T') : '';

/** What the fields hold, as the API takes it. */
export function keyIn(form: HTMLFormElement) {
  const [reset, expires] = [textIn(form, 'limit_reset'), textIn(form, 'expires_at')];
  return {
    name: textIn(form, 'name') ?? '',
    limit: numberIn(form, 'limit') ?? null,
    limit_reset: INTERVALS.find((interval) => interval === reset) ?? null,
    expires_at: expires === undefined ? null : new Date(expires).toISOString(),
    guardrail_id: textIn(form, 'guardrail_id') ?? null,
    rate_limits: {
      submit: numberIn(form, 'rate_submit') ?? null,
      upload: numberIn(form, 'rate_upload') ?? null,
      read: numberIn(form, 'rate_read') ?? null,
      admin: numberIn(form, 'rate_admin') ?? null,
    },
  };
}

/** Of a new key. */
export function scopeIn(form: HTMLFormElement): Scope {
  const chosen = new FormData(form).getAll('operations');
  const operations = Object.keys(OPERATIONS)
    .filter(isOperation)
    .filter((each) => chosen.includes(each));
  return {
    operations: operations.length === 0 ? null : operations,
    networks: listIn(form, 'networks'),
    workspaces: listIn(form, 'workspaces'),
  };
}

const isOperation = (name: string): name is Operation => Object.hasOwn(OPERATIONS, name);

/** Only what differs: the API refuses an expiry that is over, even one that the key has already. */
export function changesIn(form: HTMLFormElement, key: Key) {
  const { name, limit, limit_reset, expires_at, guardrail_id, rate_limits } = keyIn(form);
  const isSameEnd = expires_at?.slice(0, 19) === key.expires_at?.slice(0, 19);
  return present({
    name: name === key.name ? undefined : name,
    limit: limit === key.limit ? undefined : limit,
    limit_reset: limit_reset === key.limit_reset ? undefined : limit_reset,
    expires_at: isSameEnd ? undefined : expires_at,
    guardrail_id: guardrail_id === key.guardrail_id ? undefined : guardrail_id,
    rate_limits: RATES.every(([each]) => rate_limits[each] === key.rate_limits[each])
      ? undefined
      : rate_limits,
  });
}
