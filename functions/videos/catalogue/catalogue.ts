import * as v from 'valibot';
import models from './models.json' with { type: 'json' };
import { modelOf, type Offer, offerSchema } from './offer.ts';

export const catalogueSchema = v.array(offerSchema);

/** What callers name: a model, with an offer for each provider that has it. */
export interface VideoModel {
  readonly id: string;
  /** In the order of the catalogue. */
  readonly offers: readonly Offer[];
}

/** Offers by their own names and by those of their models. */
export class Catalogue {
  readonly offers: readonly Offer[];
  readonly #byId: ReadonlyMap<string, Offer>;
  readonly #paused: ReadonlySet<string>;
  readonly #models: ReadonlyMap<string, VideoModel>;

  /** @param paused the ids of offers that take no new jobs for now */
  constructor(offers: readonly Offer[], paused: readonly string[] = []) {
    this.offers = offers;
    this.#paused = new Set(paused);
    this.#byId = new Map(offers.map((offer) => [offer.id, offer]));
    this.#models = new Map(
      [...Map.groupBy(offers, modelOf)].map(([id, group]) => [id, { id, offers: group }]),
    );
  }

  get models(): readonly VideoModel[] {
    return [...this.#models.values()];
  }

  isPaused(id: string): boolean {
    return this.#paused.has(id);
  }

  /** What a submit may name: a model, or one offer by its own id. */
  model(id: string): VideoModel | undefined {
    const pinned = this.#byId.get(id);
    return this.#models.get(id) ?? (pinned && { id, offers: [pinned] });
  }

  offer(id: string): Offer | undefined {
    return this.#byId.get(id);
  }

  /** The offer of a job. Jobs of older versions name only the model; its first offer is theirs. */
  offerOf({ model, endpoint }: { readonly model: string; readonly endpoint?: string }): Offer | undefined {
    if (endpoint !== undefined) return this.#byId.get(endpoint);
    return this.#byId.get(model) ?? this.#models.get(model)?.offers[0];
  }
}

/** The catalogue of this version and of its deployer's file; functions that do not use it neither load nor parse it. */
export const bundledCatalogue = /* @__PURE__ */ new Catalogue(
  /* @__PURE__ */ v.parse(catalogueSchema, models),
);

export const allOffers = (): readonly Offer[] => bundledCatalogue.offers;
export const findOffer = (id: string): Offer | undefined => bundledCatalogue.offerOf({ model: id });
