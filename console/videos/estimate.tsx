import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { answered, inWords } from '../api/client.ts';
import type { VideoRequest } from '../api/types.ts';
import { usd } from '../parts/format.ts';
import { useSession } from '../session/session.tsx';

const PAUSE_MILLISECONDS = 400;
/** The price does not depend on it, and what is being typed goes nowhere. */
const ANY_PROMPT = 'An estimate';
const UNKNOWN = { data: undefined, error: null };

/** What a submit would hold, as the form changes. The API makes every check of a submit for it. */
export function Estimate({ request }: { readonly request: VideoRequest | SyntaxError }) {
  const { api, scope, workspaceId } = useSession();
  const wanted = request instanceof Error ? undefined : estimateBody(request);
  const asked = useSettled(wanted);
  const estimate = useQuery({
    queryKey: ['estimate', workspaceId, asked],
    enabled: asked !== undefined,
    retry: false,
    queryFn: () => {
      const body: VideoRequest = JSON.parse(asked ?? '');
      return answered(api.POST('/videos/estimate', { params: { query: scope }, body: body }));
    },
  });
  // The price of what the form held before is nobody's offer.
  const { data, error } = asked === wanted ? estimate : UNKNOWN;
  return (
    <output class="estimate" aria-live="polite">
      {request instanceof Error ? (
        <span class="failure">Provider options are not valid JSON: {request.message}</span>
      ) : error !== null ? (
        <span class="failure">{inWords(error)}</span>
      ) : data === undefined ? (
        'Estimating …'
      ) : (
        <>
          Up to <strong>{usd(data.max_cost)}</strong>
          {data.remaining !== null && <span class="quiet"> · {usd(data.remaining)} remaining</span>}
          {!data.fits && <span class="failure"> Exceeds the remaining budget.</span>}
        </>
      )}
    </output>
  );
}

function estimateBody({ metadata: _, ...request }: VideoRequest): string {
  return JSON.stringify({ ...request, prompt: ANY_PROMPT });
}

/** The value once it has stayed the same for a while. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
