import { API_PATH } from '../api/client.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { useSession } from '../session/session.ts';
import { curlLine } from './curl-command.ts';
import { keptRequest } from './sent-requests.ts';

/** Of the request that made the job, where it was sent from this tab; else of the one that reads it. */
export function CurlLine({ jobId }: { readonly jobId: string }) {
  const { scope } = useSession();
  const request = keptRequest(jobId);
  const url = new URL(`${API_PATH}/videos${request === undefined ? `/${jobId}` : ''}`, window.location.href);
  url.search = new URLSearchParams(scope).toString();
  const line = curlLine(request === undefined ? 'GET' : 'POST', url.href, request);
  return (
    <>
      <p class="quiet">
        {request === undefined
          ? 'It was not submitted from this tab; this reads it.'
          : 'This makes the same request once more.'}{' '}
        <code>GENWAY_KEY</code> holds the key.
      </p>
      <pre data-testid="curl">{line}</pre>
      <CopyButton key={line} text={line} label="Copy the line" />
    </>
  );
}
