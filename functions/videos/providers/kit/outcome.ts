import { defined } from '../../../defined.ts';
import { presentable } from '../../../upstream/upstream-error.ts';
import type { ProviderContext, ProviderState } from '../provider.ts';

/** Done, with what was made at these addresses; where the vendor names none, there is nothing. */
export function succeeded(...urls: readonly (string | undefined)[]): ProviderState & { state: 'succeeded' } {
  const outputs = urls.flatMap((url) =>
    url === undefined || url === '' ? [] : [{ kind: 'url' as const, url }],
  );
  return { state: 'succeeded', outputs };
}

interface Ending {
  readonly state: 'failed' | 'cancelled' | 'expired';
  /** Why, in the vendor's words. */
  readonly said?: string | undefined;
  readonly moderated?: boolean;
}

/** Over, without a video. */
export function ended({ state, said, moderated }: Ending, { apiKey }: ProviderContext): ProviderState {
  const reason = presentable(said ?? `The provider reports the job as ${state}`, apiKey);
  return { state, reason, ...defined({ moderated: moderated || undefined }) };
}
