import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { shareVariable } from '../money/micros.ts';
import { log } from '../telemetry/logger.ts';
import type { VideoModel } from '../videos/catalogue/catalogue.ts';
import { describeModel, type ShownModel } from '../videos/catalogue/model-view.ts';
import { figureBook } from '../videos/routing/figure-store.ts';
import { offeredModels } from '../videos/routing/narrow.ts';
import { deployedCatalogue, figureStore, videoProviders } from './videos.ts';

type Narrow = (models: VideoModel[]) => VideoModel[];

/** The models of this stage as they are now, or those that a caller may use, with the figures of their endpoints. */
export function shownModels(): (narrow?: Narrow) => Promise<ShownModel[]> {
  const providers = videoProviders();
  const catalogue = deployedCatalogue();
  const dataDiscount = setting('dataDiscount', shareVariable);
  const figures = figureBook({ store: figureStore(), now: systemClock, log });
  return async (narrow = (all) => all) => {
    const now = systemClock();
    const models = narrow(offeredModels(await catalogue(), providers, now));
    const figuresOf = await figures();
    return models.map((model) => describeModel(model, { figuresOf, dataDiscount, now }));
  };
}
