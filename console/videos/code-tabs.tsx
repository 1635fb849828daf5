import { API_PATH } from '../api/client.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useSession } from '../session/session.tsx';
import { type SampleCall, samplesOf } from './code-samples.ts';

/** The same call from a program. */
export function CodeTabs(call: Pick<SampleCall, 'body' | 'jobId'>) {
  const { scope } = useSession();
  const api = new URL(API_PATH, window.location.href).href;
  const tabs = samplesOf({ ...call, api, scope }).map(({ name, code }) => ({
    name,
    children: (
      <div class="stack">
        <pre class="code" data-testid="code">
          {code}
        </pre>
        <div class="actions">
          <CopyButton key={code} text={code} label="Copy" />
          <span class="quiet">
            Set <code>GENWAY_API_KEY</code> to your key first.
          </span>
        </div>
      </div>
    ),
  }));
  return <Tabs label="Language" tabs={tabs} />;
}
