import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import type { ProviderPreferences, ProviderSort } from '../catalogue/provider-preferences.ts';
import { type Candidate, TURNS } from './candidate.ts';
import type { Figures } from './figures.ts';
import { isNamed } from './narrow.ts';

export interface Ranking extends Pick<ProviderPreferences, 'order'> {
  readonly sort: ProviderSort;
  readonly figuresOf: (endpoint: VideoEndpoint) => Figures;
  readonly durationSeconds: number;
  readonly now: Date;
}

/**
 * Best first. Candidates that rest come after all others, and the workspace's own accounts before shared ones. Then the
 * names in the request decide, in their order, and then the sort. Equal candidates keep the order of the catalogue.
 */
export function rank(candidates: readonly Candidate[], ranking: Ranking): Candidate[] {
  const ranked = candidates.map((candidate) => ({ candidate, places: placesOf(candidate, ranking) }));
  return ranked.sort((a, b) => compare(a.places, b.places)).map(({ candidate }) => candidate);
}

/** Lower is better; the first that differs decides. */
function placesOf(candidate: Candidate, ranking: Ranking): readonly number[] {
  const { endpoint, turn } = candidate;
  const figures = ranking.figuresOf(endpoint);
  const named = ranking.order.findIndex((name) => isNamed(endpoint, [name]));
  return [
    figures.restsUntil > ranking.now.getTime() ? 1 : 0,
    TURNS.indexOf(turn),
    named === -1 ? ranking.order.length : named,
    measure(candidate, figures, ranking),
  ];
}

/** Where too little was measured, the catalogue's value counts; without one, the candidate comes last. */
function measure({ endpoint, estimateMicros }: Candidate, figures: Figures, ranking: Ranking): number {
  const typical = endpoint.typical_seconds ?? Number.MAX_VALUE;
  switch (ranking.sort) {
    case 'price':
      return estimateMicros;
    case 'latency':
      return figures.latencySeconds ?? typical;
    case 'throughput':
      return -(figures.throughput ?? ranking.durationSeconds / typical);
    case 'exacto':
      return -endpoint.quality;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
