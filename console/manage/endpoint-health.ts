import type { VideoModel } from '../api/types.ts';
import { seconds } from '../parts/format.ts';

type ModelEndpoint = VideoModel['endpoints'][number];

export interface EndpointHealth {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly status: ModelEndpoint['status'];
  /** From 0 to 1; undefined without samples. */
  readonly successRate: number | undefined;
  readonly samples: number;
  readonly wait: string;
}

/** Every endpoint once, sorted by provider; several models may name the same one. */
export function healthOf(models: readonly VideoModel[]): readonly EndpointHealth[] {
  const known = new Map<string, EndpointHealth>();
  for (const model of models) {
    for (const endpoint of model.endpoints) known.set(endpoint.id, health(model, endpoint));
  }
  return [...known.values()].toSorted(
    (a, b) => a.provider.localeCompare(b.provider) || a.id.localeCompare(b.id),
  );
}

function health(model: VideoModel, endpoint: ModelEndpoint): EndpointHealth {
  const { id, provider, status, success_rate, samples } = endpoint;
  const successRate = success_rate ?? undefined;
  return { id, provider, model: model.name, status, successRate, samples, wait: waitOf(endpoint) };
}

/** Without samples the API gives the endpoint's typical time. */
function waitOf({ latency_p50: latency, samples }: ModelEndpoint): string {
  if (latency === null) return 'not known yet';
  return samples === 0 ? `some ${seconds(latency)}, typically` : seconds(latency);
}
