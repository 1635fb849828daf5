import { useQuery } from '@tanstack/preact-query';
import { Send, Trash2 } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Broadcast, Workspace } from '../api/types.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';

/** Where the workspace's traces go. */
export function BroadcastSettings({ workspace }: { readonly workspace: Workspace }) {
  const { api } = useSession();
  const params = { path: { workspace: workspace.id } };
  const broadcast = useQuery({
    queryKey: ['broadcast', workspace.id],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/broadcast', { params }))).data,
  });
  return (
    <div class="narrow">
      <Section title="Broadcast" about="Sends one OpenTelemetry trace per finished job to your collector.">
        <Loaded query={broadcast} what="the destination" tall>
          {(known) => (
            <>
              <DestinationForm workspaceId={workspace.id} broadcast={known} />
              {known.url !== null && <DestinationActions workspaceId={workspace.id} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}

interface DestinationFormProps {
  readonly workspaceId: string;
  readonly broadcast: Broadcast;
}

/** Saves both: the destination, and whether anything is sent there. */
function DestinationForm({ workspaceId, broadcast: { url, headers, enabled } }: DestinationFormProps) {
  const save = useSave(workspaceId, url);
  const names = Object.keys(headers);
  return (
    <ActionForm action={save} submit="Save" done="Broadcast saved">
      <Field label="OTLP URL" hint="Most collectors take traces at /v1/traces. Must use https.">
        {(field) => (
          <input
            {...field}
            key={url}
            name="url"
            type="url"
            required
            placeholder="https://…/v1/traces"
            defaultValue={url ?? ''}
          />
        )}
      </Field>
      <Field
        label="Headers"
        hint={
          names.length === 0
            ? 'One per line, such as “x-api-key: secret”. Genway encrypts them.'
            : `Saved: ${names.join(', ')}. A new URL needs its headers entered again.`
        }
      >
        {(field) => <textarea {...field} name="headers" rows={2} spellcheck={false} />}
      </Field>
      <label class="check">
        <input key={String(enabled)} type="checkbox" name="enabled" value="yes" defaultChecked={enabled} />
        <span>Send traces</span>
      </label>
    </ActionForm>
  );
}

function useSave(workspaceId: string, before: string | null) {
  const { api } = useSession();
  const params = { path: { workspace: workspaceId } };
  return useAction(
    async (form: HTMLFormElement) => {
      const headers = headersIn(textIn(form, 'headers'));
      const url = textIn(form, 'url') ?? '';
      // It replaces the headers too, of which the form has only the names.
      if (url !== before || headers !== undefined) {
        const body = { url, ...(headers === undefined ? {} : { headers }) };
        await answered(api.PUT('/workspaces/{workspace}/broadcast', { params, body }));
      }
      const isOn = { is_observability_broadcast_enabled: textIn(form, 'enabled') !== undefined };
      await answered(api.PATCH('/workspaces/{workspace}', { params, body: isOn }));
    },
    ['broadcast', 'workspace'],
  );
}

/** `name: value`, one on each line. */
function headersIn(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function DestinationActions({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const toast = useToast();
  const params = { path: { workspace: workspaceId } };
  const test = useAction(
    () => answered(api.POST('/workspaces/{workspace}/broadcast/test', { params })),
    [],
    ({ data: { delivered, outcome } }) =>
      toast(delivered ? 'The collector accepted the test trace' : `Not delivered: ${words(outcome)}`),
  );
  return (
    <div class="actions">
      <ActionButton action={test} icon={Send}>
        Send test trace
      </ActionButton>
      <ConfirmButton
        label="Delete destination"
        icon={Trash2}
        stale={['broadcast']}
        done="Destination deleted"
        act={() => answered(api.DELETE('/workspaces/{workspace}/broadcast', { params }))}
      >
        <p>Genway sends no more traces of this workspace. You lose the saved headers.</p>
      </ConfirmButton>
    </div>
  );
}
