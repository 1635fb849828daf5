import { Link } from 'wouter-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { GenerationContent } from '../api/types.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { byteSize, seconds, usd, words } from '../parts/format.ts';
import { useSession } from '../session/session.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';

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
      <ActionButton action={look}>Show private log</ActionButton>
    </>
  );
}

function Setting() {
  const { workspaceId } = useSession();
  const { data: workspaces = [] } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined) return null;
  if (workspace.is_observability_io_logging_enabled)
    return <p class="quiet">Private logs are encrypted, and CloudTrail records every read.</p>;
  return (
    <p class="quiet">
      Private logs are off. Turn them on in the <Link href="/settings/private-logs">settings</Link> to log
      jobs that end from then on.
    </p>
  );
}

/** What went in, and what came out. */
function LoggedContent({ content }: { readonly content: GenerationContent }) {
  const { input, output, key_hash, total_cost, error } = content;
  const { width, height, duration, seed, generate_audio, options } = input.parameters;
  const asked = [
    `${width} × ${height}`,
    seconds(duration),
    generate_audio ? 'with audio' : 'silent',
    ...(seed === undefined ? [] : [`seed ${seed}`]),
  ];
  return (
    <div class="stack" data-testid="logged">
      <h3>Prompt</h3>
      <pre>{input.prompt}</pre>
      <p>
        {asked.join(', ')}; {usd(total_cost)}
      </p>
      {Object.keys(options).length > 0 && <pre>{JSON.stringify(options, null, 2)}</pre>}
      <Media title="Inputs" lines={input.media.map(inputLine)} />
      <Media title="Outputs" lines={output.media.map(outputLine)} />
      {error !== null && <p class="failure">{error.message}</p>}
      <p class="quiet">
        Key <code>{key_hash}</code>
      </p>
    </div>
  );
}

interface Line {
  readonly text: string;
  /** SHA-256, where the bytes or the address are known. */
  readonly digest: string | undefined;
}

function Media({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map(({ text, digest }, place) => (
          <li key={`${place} ${text}`}>
            {text} {digest !== undefined && <code>{digest}</code>}
          </li>
        ))}
      </ul>
    </>
  );
}

function inputLine(media: GenerationContent['input']['media'][number]): Line {
  const { role, name, filename, content_type, size_bytes, sha256, url_sha256 } = media;
  const size = size_bytes === undefined ? undefined : byteSize(size_bytes);
  const parts = [`${words(role)}: ${name}`, filename, content_type, size];
  return { text: parts.filter((part) => part !== undefined).join(', '), digest: sha256 ?? url_sha256 };
}

function outputLine(media: GenerationContent['output']['media'][number]): Line {
  return { text: `${media.content_type}, ${byteSize(media.size_bytes)}`, digest: media.sha256 };
}
