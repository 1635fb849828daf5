import type { VideoModel } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { endingOf } from '../videos/model-end.ts';

type Offer = VideoModel['endpoints'][number];

export interface OfferHealth {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly status: Offer['status'];
  /** From 0 to 1; undefined without samples. */
  readonly successRate: number | undefined;
  readonly samples: number;
  readonly wait: string;
  /** Its vendor's last day for it, and what to use instead; undefined while that is far. */
  readonly ending: string | undefined;
}

/** Every endpoint once, sorted by provider; several models may name the same one. */
export function healthOf(models: readonly VideoModel[], now: Date): readonly OfferHealth[] {
  const known = new Map<string, OfferHealth>();
  for (const model of models) {
    for (const endpoint of model.endpoints) known.set(endpoint.id, health(model, endpoint, now));
  }
  return [...known.values()].toSorted(
    (a, b) => a.provider.localeCompare(b.provider) || a.id.localeCompare(b.id),
  );
}

function health(model: VideoModel, endpoint: Offer, now: Date): OfferHealth {
  const { id, provider, status, success_rate, samples } = endpoint;
  const successRate = success_rate ?? undefined;
  const [wait, ending] = [waitOf(endpoint), endingOf(endpoint, now)];
  return { id, provider, model: model.name, status, successRate, samples, wait, ending };
}

/** Below, the API gives no median, but the time that is typical of the endpoint. */
const ENOUGH_VIDEOS = 5;

function waitOf({ latency_p50: latency, success_rate: rate, samples }: Offer): string {
  const videos = Math.round((rate ?? 0) * samples);
  if (latency !== null && videos >= ENOUGH_VIDEOS) return `${seconds(latency)} from ${videos} videos`;
  return videos === 0 ? 'No recent measurements' : `${videos} of the ${ENOUGH_VIDEOS} videos needed`;
}
