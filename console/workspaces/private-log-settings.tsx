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
    <Section
      title="Private logs"
      about="Encrypted prompts, parameters and results. Management keys can read them on a video’s page."
    >
      <ActionForm action={save} submit="Save" done="Logging saved; it applies to jobs that end from now on">
        <label class="check">
          <input key={String(isOn)} type="checkbox" name="is_on" value="yes" defaultChecked={isOn} />
          <span>Log inputs and outputs</span>
        </label>
        <Field label="Sample rate, %" hint={keysHint(workspace)}>
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

function useSaveLogging({ id }: Workspace) {
  const { api } = useSession();
  return useAction(
    (form: HTMLFormElement) => {
      const body = {
        is_observability_io_logging_enabled: textIn(form, 'is_on') !== undefined,
        io_logging_sampling_rate: (numberIn(form, 'share') ?? 100) / 100,
      };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: id } }, body }));
    },
    ['workspace', 'workspaces'],
  );
}

function keysHint({ io_logging_api_key_ids: keys }: Workspace): string {
  if (keys === null)
    return 'Applies to jobs of all keys. Set io_logging_api_key_ids with the API to select keys.';
  return `Applies only to jobs of the ${keys.length} keys in io_logging_api_key_ids.`;
}
