import { defined } from '../../../defined.ts';
import { presentable } from '../../../upstream/upstream-error.ts';
import type { ProviderContext, ProviderState } from '../provider.ts';

/** The end of a job with results at these addresses; without an address the provider has made nothing. */
export function succeeded(...urls: readonly (string | undefined)[]): ProviderState & { state: 'succeeded' } {
  const outputs = urls.flatMap((url) =>
    url === undefined || url === '' ? [] : [{ kind: 'url' as const, url }],
  );
  return { state: 'succeeded', outputs };
}

interface Ending {
  readonly state: 'failed' | 'cancelled' | 'expired';
  /** The reason, in the vendor's words. */
  readonly said?: string | undefined;
  readonly moderated?: boolean;
}

/** The end of a job without a video. */
export function ended({ state, said, moderated }: Ending, { apiKey }: ProviderContext): ProviderState {
  const reason = presentable(said ?? `The provider reports the job as ${state}`, apiKey);
  return { state, reason, ...defined({ moderated: moderated || undefined }) };
}
