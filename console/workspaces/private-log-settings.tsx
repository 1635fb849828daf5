import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { ActionForm, Field, numberIn, textIn } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';

/** Turns the logging of prompts and results on and off. */
export function PrivateLogSettings({ workspace }: { readonly workspace: Workspace }) {
  const { is_observability_io_logging_enabled: isOn, io_logging_sampling_rate: share } = workspace;
  const save = useSaveLogging(workspace);
  return (
    <Section title="Private logs">
      <p class="quiet">
        Prompts, settings and results of jobs, encrypted. A management key reads them on the job’s page.
      </p>
      <ActionForm action={save} submit="Save the logging" done="It counts from the next job that ends.">
        <label class="check">
          <input key={String(isOn)} type="checkbox" name="is_on" value="yes" defaultChecked={isOn} />
          <span>Log what goes in and comes out</span>
        </label>
        <Field label="Share of jobs, %" hint={keysHint(workspace)}>
          {(field) => (
            <input
              {...field}
              key={share}
              name="share"
              type="number"
              required
              min={0.01}
              max={100}
              step="any"
              defaultValue={Number((share * 100).toPrecision(12))}
            />
          )}
        </Field>
      </ActionForm>
    </Section>
  );
}

function useSaveLogging({ slug }: Workspace) {
  const { api } = useSession();
  return useAction(
    (form: HTMLFormElement) => {
      const body = {
        is_observability_io_logging_enabled: textIn(form, 'is_on') !== undefined,
        io_logging_sampling_rate: (numberIn(form, 'share') ?? 100) / 100,
      };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: slug } }, body }));
    },
    ['workspace', 'workspaces'],
  );
}

function keysHint({ io_logging_api_key_ids: keys }: Workspace): string {
  if (keys === null) return 'Jobs of all keys; io_logging_api_key_ids of the API names some';
  return `Jobs of the ${keys.length} keys in io_logging_api_key_ids alone`;
}
