import * as v from 'valibot';
import models from './models.json' with { type: 'json' };
import { endpointSchema, modelOf, type VideoEndpoint } from './offer.ts';

export const catalogueSchema = v.array(endpointSchema);

/** What callers name: a model, with an endpoint for each provider that has it. */
export interface VideoModel {
  readonly id: string;
  /** In the order of the catalogue. */
  readonly endpoints: readonly VideoEndpoint[];
}

interface JobEndpoint {
  readonly model: string;
  readonly endpoint?: string;
}

/** Endpoints by their own names and by those of their models. */
export class Catalogue {
  readonly endpoints: readonly VideoEndpoint[];
  readonly #byId: ReadonlyMap<string, VideoEndpoint>;
  readonly #paused: ReadonlySet<string>;
  readonly #models: ReadonlyMap<string, VideoModel>;

  /** @param paused the ids of endpoints that take no new jobs for now */
  constructor(endpoints: readonly VideoEndpoint[], paused: readonly string[] = []) {
    this.endpoints = endpoints;
    this.#paused = new Set(paused);
    this.#byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    this.#models = new Map(
      [...Map.groupBy(endpoints, modelOf)].map(([id, group]) => [id, { id, endpoints: group }]),
    );
  }

  get models(): readonly VideoModel[] {
    return [...this.#models.values()];
  }

  isPaused(id: string): boolean {
    return this.#paused.has(id);
  }

  /** What a submit may name: a model, or one endpoint by its own id. */
  model(id: string): VideoModel | undefined {
    const pinned = this.#byId.get(id);
    return this.#models.get(id) ?? (pinned && { id, endpoints: [pinned] });
  }

  endpoint(id: string): VideoEndpoint | undefined {
    return this.#byId.get(id);
  }

  /** The endpoint of a job. Jobs of older versions name only the model; its first endpoint is theirs. */
  endpointOf({ model, endpoint }: JobEndpoint): VideoEndpoint | undefined {
    if (endpoint !== undefined) return this.#byId.get(endpoint);
    return this.#byId.get(model) ?? this.#models.get(model)?.endpoints[0];
  }
}

/** The catalogue of this version and of its deployer's file; functions that do not use it neither load nor parse it. */
export const bundledCatalogue = /* @__PURE__ */ new Catalogue(
  /* @__PURE__ */ v.parse(catalogueSchema, models),
);

export const allEndpoints = (): readonly VideoEndpoint[] => bundledCatalogue.endpoints;
export const findEndpoint = (id: string): VideoEndpoint | undefined =>
  bundledCatalogue.endpointOf({ model: id });
