import { Link } from 'wouter-preact';
import { answered } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useWorkspaces } from '../manage/use-workspaces.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { useSession } from '../session/session.ts';
import { LoggedContent } from './logged-content.tsx';

/** Fetches the log only when the button is pressed: CloudTrail records every read. */
export function PrivateLog({ generationId }: { readonly generationId: string }) {
  const { api, scope } = useSession();
  const look = useAction(
    () => answered(api.GET('/generation/content', { params: { query: { ...scope, id: generationId } } })),
    [],
  );
  if (look.data !== undefined) return <LoggedContent content={look.data.data} />;
  return (
    <>
      <Setting />
      <ActionButton action={look}>Show what was logged</ActionButton>
    </>
  );
}

function Setting() {
  const { workspaceId } = useSession();
  const { data: workspaces = [] } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined) return null;
  if (workspace.is_observability_io_logging_enabled)
    return <p class="quiet">What went in and came out, encrypted. CloudTrail records each look.</p>;
  return (
    <p class="quiet">
      Private logs are off now. <Link href={`/workspaces/${workspace.slug}`}>The workspace</Link> turns them
      on for what ends from then on.
    </p>
  );
}
