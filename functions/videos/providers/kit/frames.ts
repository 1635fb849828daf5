import type { FrameImage, ProviderJob } from '../provider.ts';

/** The addresses of a job's first and last frame. */
export function framesOf({ frameImages }: ProviderJob): {
  first: string | undefined;
  last: string | undefined;
} {
  const frame = (type: FrameImage['frameType']) =>
    frameImages.find(({ frameType }) => frameType === type)?.url;
  return { first: frame('first_frame'), last: frame('last_frame') };
}
