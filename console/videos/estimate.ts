import type { VideoModel, VideoRequest } from '../api/types.ts';

/** Of a model without a limit of its own; the API takes no longer one. */
const LONGEST_PROMPT = 32_000;
/** In steps, so that typing rarely asks for another estimate. */
const PROMPT_STEP = 500;

/**
 * The body that asks what a request would hold. What is being typed goes nowhere; the price of some models depends on
 * its length in UTF-8.
 */
export function estimateBody(
  { metadata: _, ...request }: VideoRequest,
  { prompt_limit: longest = LONGEST_PROMPT }: Pick<VideoModel, 'prompt_limit'>,
): VideoRequest {
  const steps = Math.floor(new Blob([request.prompt]).size / PROMPT_STEP) + 1;
  return { ...request, prompt: 'x'.repeat(Math.min(longest, steps * PROMPT_STEP)) };
}

/** The lowest price of a second in USD. One that begins with another video is billed for that as well. */
export function pricePerSecond({ pricing_skus }: Pick<VideoModel, 'pricing_skus'>): number {
  const prices = Object.entries(pricing_skus).filter(([name]) =>
    /^duration_seconds(?!_with_video)/.test(name),
  );
  return Math.min(...prices.map(([, price]) => Number(price)));
}
