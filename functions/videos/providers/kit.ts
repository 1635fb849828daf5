import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { presentable } from '../../upstream/upstream-error.ts';
import {
  type FrameImage,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
} from './provider.ts';

/** Everything that adapters are built with. */
export { defined } from '../../defined.ts';
export { code, maybe, nonEmpty, percent, text } from '../../upstream/upstream-error.ts';
export type { ProviderReply } from './vendor-api.ts';
export { isOwn, ownOr, type VendorApi, vendorApi } from './vendor-api.ts';

/** The id of no work, to ask about where a vendor lists none. */
export const NO_WORK = '00000000-0000-0000-0000-000000000000';

/** A count of seconds in an answer. No video is as long; a larger number is an error, and the row's price counts. */
export const secondsCount = v.pipe(v.number(), v.minValue(0), v.maxValue(10_000));
/** A video of no seconds is an error too: it was made, and is not free. */
export const madeSecondsCount = v.pipe(secondsCount, v.gtValue(0));

/** The prompt and the inputs of a job as the typed parts of one message, a form that several vendors take. */
export async function contentParts(job: ProviderJob, { inputs }: ProviderContext): Promise<object[]> {
  const frames = job.frameImages.map(async ({ frameType, url }) => ({
    type: 'image_url',
    image_url: { url: await inputs.link(url) },
    role: frameType,
  }));
  const references = job.inputReferences.map(async ({ kind, url }) => ({
    type: `${kind}_url`,
    [`${kind}_url`]: { url: await inputs.link(url) },
    role: `reference_${kind}`,
  }));
  return [{ type: 'text', text: job.prompt }, ...(await Promise.all([...frames, ...references]))];
}

/** The addresses of a job's first and last frame. */
export function framesOf({ frameImages }: ProviderJob): {
  first: string | undefined;
  last: string | undefined;
} {
  const frame = (type: FrameImage['frameType']) =>
    frameImages.find(({ frameType }) => frameType === type)?.url;
  return { first: frame('first_frame'), last: frame('last_frame') };
}

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
  const reason = presentable(said ?? `The provider reports the job as ${state}`, apiKey?.hideIn);
  return { state, reason, ...defined({ moderated: moderated || undefined }) };
}

/** @throws ProviderError when an answer is about another job than the one that was asked for */
export function expectSameJob(asked: string, answered: string): void {
  if (answered !== asked)
    throw new ProviderError('unavailable', 'The provider’s response is for another job');
}
