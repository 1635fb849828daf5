import { useQuery } from '@tanstack/preact-query';
import { Send, Trash2 } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Destination, Workspace } from '../api/types.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { ActionForm, Field, PercentField, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';

/** Where the workspace's traces go, and which. */
export function BroadcastSettings({ workspace }: { readonly workspace: Workspace }) {
  const { api } = useSession();
  const query = { workspace_id: workspace.id };
  const found = useQuery({
    queryKey: ['broadcast', workspace.id],
    queryFn: async () => (await answered(api.GET('/observability/destinations', { params: { query } }))).data,
  });
  return (
    <div class="narrow">
      <Section
        title="Broadcast"
        about="Sends an OpenTelemetry trace to the destination below when a job ends."
      >
        <Loaded query={found} what="the destination" tall>
          {([destination]) => (
            <>
              <DestinationForm workspace={workspace} destination={destination} />
              {destination !== undefined && <DestinationActions workspaceId={workspace.id} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}

interface DestinationFormProps {
  readonly workspace: Workspace;
  readonly destination: Destination | undefined;
}

/** Saves both: the destination, and whether anything is sent there. */
function DestinationForm({ workspace, destination }: DestinationFormProps) {
  const save = useSave(workspace.id, destination);
  const {
    type = 'otel-collector',
    config,
    sampling_rate: rate = 1,
    filter_rules,
    api_key_hashes,
  } = destination ?? {};
  const url = config?.endpoint ?? config?.url ?? '';
  const names = Object.keys(config?.headers ?? {});
  const enabled = workspace.is_observability_broadcast_enabled && (destination?.enabled ?? true);
  return (
    <ActionForm action={save} submit="Save" done="Broadcast saved">
      <Field
        label="Type"
        hint={destination === undefined ? undefined : 'To change the type, delete the destination first.'}
      >
        {(field) => (
          <select {...field} key={type} name="type" defaultValue={type} disabled={destination !== undefined}>
            <option value="otel-collector">OpenTelemetry collector</option>
            <option value="webhook">Webhook</option>
          </select>
        )}
      </Field>
      <Field label="OTLP URL" hint="Most collectors accept traces at /v1/traces.">
        {(field) => (
          <input
            {...field}
            key={url}
            name="url"
            type="url"
            required
            placeholder="https://…/v1/traces"
            defaultValue={url}
          />
        )}
      </Field>
      <Field
        label="Headers"
        hint={
          names.length === 0
            ? 'One per line, such as “x-api-key: secret”. Genway encrypts the values.'
            : `Saved: ${names.join(', ')}. Leave empty to keep them, or enter all headers again. If you change the URL, enter them again: Genway deletes the saved ones.`
        }
      >
        {(field) => <textarea {...field} name="headers" rows={2} spellcheck={false} />}
      </Field>
      <PercentField
        label="Sampling rate, %"
        hint={choiceOf(filter_rules, api_key_hashes)}
        name="rate"
        of={rate}
      />
      <label class="check">
        <input key={String(enabled)} type="checkbox" name="enabled" value="yes" defaultChecked={enabled} />
        <span>Send traces</span>
      </label>
    </ActionForm>
  );
}

/** What only the API sets. */
function choiceOf(
  rules: Destination['filter_rules'] | undefined,
  keys: Destination['api_key_hashes'] | undefined,
): string | undefined {
  const conditions = [
    ...(rules?.enabled === true ? ['match filter_rules'] : []),
    ...(keys ? ['were submitted with a key in api_key_hashes'] : []),
  ];
  return conditions.length === 0
    ? undefined
    : `Genway sends traces only for jobs that ${conditions.join(' and ')}. To change this, use the API.`;
}

function useSave(workspaceId: string, before: Destination | undefined) {
  const { api } = useSession();
  return useAction(
    async (form: HTMLFormElement) => {
      const type = before?.type ?? (textIn(form, 'type') === 'webhook' ? 'webhook' : 'otel-collector');
      const address = textIn(form, 'url') ?? '';
      const saved = before?.config.endpoint ?? before?.config.url;
      // Saved headers stay only with their URL: the API refuses to send them to another.
      const headers = headersIn(textIn(form, 'headers')) ?? (address === saved ? undefined : {});
      const config = {
        ...(type === 'webhook' ? { url: address } : { endpoint: address }),
        ...(headers === undefined ? {} : { headers }),
      };
      const sampling_rate = Number(textIn(form, 'rate')) / 100;
      const isOn = textIn(form, 'enabled') !== undefined;
      if (before === undefined) {
        const told = { broadcast_generation_cost: true, broadcast_generation_identity: true };
        const body = { type, name: 'Console', workspace_id: workspaceId, config, sampling_rate, ...told };
        await answered(api.POST('/observability/destinations', { body }));
      } else {
        const params = { path: { destination: before.id } };
        const body = { config, sampling_rate, ...(isOn ? { enabled: true } : {}) };
        await answered(api.PATCH('/observability/destinations/{destination}', { params, body }));
      }
      const params = { path: { workspace: workspaceId } };
      const body = { is_observability_broadcast_enabled: isOn };
      await answered(api.PATCH('/workspaces/{workspace}', { params, body }));
    },
    ['broadcast', 'workspace'],
  );
}

/** `name: value`, one on each line. */
function headersIn(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      // One without a value is not left out: the API says what is wrong with it.
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}

/** Why a test has no status. */
const WITHOUT_RESPONSE: Readonly<Record<string, string>> = {
  timed_out: 'The destination did not respond in time.',
  connection_failed: 'The connection to the destination failed.',
  tls_failed: 'The TLS connection to the destination failed. Check its certificate.',
  address_refused: 'Genway sends no traces to this address. Use the URL of a public host.',
};

const whyNot = ({ outcome, status }: { readonly outcome: string; readonly status: number | null }): string =>
  status === null
    ? (WITHOUT_RESPONSE[outcome] ?? 'The test trace was not delivered.')
    : `The destination returned ${status} and did not accept the test trace.`;

function DestinationActions({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const toast = useToast();
  const params = { path: { workspace: workspaceId } };
  const test = useAction(
    () => answered(api.POST('/workspaces/{workspace}/broadcast/test', { params })),
    [],
    ({ data: { delivered } }) => {
      if (delivered) toast('The destination accepted the test trace');
    },
  );
  return (
    <div class="actions">
      <ActionButton action={test} icon={Send}>
        Send test trace
      </ActionButton>
      {test.data?.data.delivered === false && (
        <p class="failure" role="alert">
          {whyNot(test.data.data)}
        </p>
      )}
      <ConfirmButton
        label="Delete destination"
        icon={Trash2}
        stale={['broadcast']}
        done="Destination deleted"
        act={() => answered(api.DELETE('/workspaces/{workspace}/broadcast', { params }))}
      >
        <p>
          Genway stops sending traces of this workspace and deletes the destination with all its settings,
          including those set through the API.
        </p>
      </ConfirmButton>
    </div>
  );
}
