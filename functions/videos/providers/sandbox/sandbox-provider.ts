import type {
  ProviderContext,
  ProviderJob,
  ProviderRef,
  ProviderState,
  Submission,
  VideoProvider,
} from '../provider.ts';
import { assertDrawable } from './clip-limits.ts';
import { parseDirectives } from './directives.ts';
import { clipOf, fromRef, toRef } from './sandbox-work.ts';
import { throwSubmitFault } from './submit-faults.ts';
import { stateAt } from './timeline.ts';

/**
 * A provider that needs no provider: it makes real, playable MP4 files without a key, a network or any state, and fails
 * on demand in every way that a provider can (`directives.ts`).
 */
export const sandboxProvider: VideoProvider = {
  name: 'sandbox',
  resubmit: 'token',

  async submit(job: ProviderJob, context: ProviderContext): Promise<Submission> {
    const directives = parseDirectives(job.options);
    const clip = clipOf(job);
    assertDrawable(clip);
    const now = context.now();
    throwSubmitFault(directives, job.id, now);
    await readOwnInputs(job, context);
    return { ref: toRef(now, clip, job.options), upstreamId: `sandbox-${job.id}` };
  },

  async poll(ref: ProviderRef, context: ProviderContext): Promise<ProviderState> {
    return stateAt(fromRef(ref), context.now(), context.signal);
  },

  /** Nothing runs until a result is read, so unfinished work ends when nobody polls it any more. */
  async cancel(ref: ProviderRef, context: ProviderContext) {
    const { state } = stateAt(fromRef(ref), context.now(), context.signal);
    return state === 'queued' || state === 'running' ? 'cancelled' : 'not_possible';
  },
};

/** Reads inputs as a provider would. It does not fetch other addresses, because the sandbox needs no network. */
async function readOwnInputs({ frameImages, inputReferences }: ProviderJob, context: ProviderContext) {
  const urls = [...frameImages, ...inputReferences].map(({ url }) => url);
  const own = urls.filter((url) => URL.parse(url)?.protocol !== 'https:');
  await Promise.all(own.map((url) => context.inputs.read(url)));
}
