import { API_PATH } from '../api/client.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { curlLine } from './curl-command.ts';
import { keptRequest } from './sent-requests.ts';

/** Of the request that made the job, where it was sent from this tab; else of the one that reads it. */
export function CurlLine({ jobId }: { readonly jobId: string }) {
  const api = new URL(API_PATH, window.location.href).href;
  const request = keptRequest(jobId);
  const line =
    request === undefined
      ? curlLine('GET', `${api}/videos/${jobId}`)
      : curlLine('POST', `${api}/videos`, request);
  return (
    <>
      <p class="quiet">
        {request === undefined
          ? 'It was not submitted from this tab; this reads it.'
          : 'This makes the same request once more.'}{' '}
        <code>GENWAY_KEY</code> holds the key.
      </p>
      <pre data-testid="curl">{line}</pre>
      <CopyButton text={line} label="Copy the line" />
    </>
  );
}
