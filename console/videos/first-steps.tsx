import { useQuery } from '@tanstack/preact-query';
import { Circle, CircleCheck } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { answered } from '../api/client.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Section } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';

/** What a new workspace needs, until it has all of it. */
export function FirstSteps({ hasVideos }: { readonly hasVideos: boolean }) {
  const { api, currentKey, workspaceId } = useSession();
  const params = { path: { workspace: workspaceId } };
  const keys = useKeys(workspaceId);
  const webhook = useQuery({
    queryKey: ['webhook', workspaceId],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/webhook', { params }))).data,
  });
  if (keys.data === undefined || webhook.data === undefined) return null;
  const steps = [
    ['/playground', 'Make a video', hasVideos],
    ['/keys', 'Create a key', keys.data.some(({ hash }) => hash !== currentKey.hash)],
    ['/settings/webhook', 'Receive a webhook', webhook.data.default_callback_url !== null],
  ] as const;
  if (steps.every(([, , isDone]) => isDone)) return null;
  return (
    <Section title="Get started">
      <ol class="steps">
        {steps.map(([path, name, isDone]) => (
          <li key={path} class={isDone ? 'quiet' : ''}>
            {isDone ? <CircleCheck class="done" /> : <Circle />}
            {isDone ? (
              <span>
                {name}
                <span class="spoken"> (done)</span>
              </span>
            ) : (
              <Link href={path}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
