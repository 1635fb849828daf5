import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { deployedCatalogue, figureStore, videoProviders } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { json } from '../../http/response.ts';
import { shareVariable } from '../../money/micros.ts';
import { log } from '../../telemetry/logger.ts';
import { describeModel } from '../../videos/catalogue/model-view.ts';
import { figureBook } from '../../videos/routing/figure-store.ts';
import { offeredModels } from '../../videos/routing/narrow.ts';
import { routes } from './definition.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=60' };

const providers = videoProviders();
const catalogue = deployedCatalogue();
const dataDiscount = setting('dataDiscount', shareVariable);
const figures = figureBook({ store: figureStore(), now: systemClock, log });

export const handler = publicHandler(routes['list-video-models'], async () => {
  const now = systemClock();
  const models = offeredModels(await catalogue(), providers, now);
  const figuresOf = await figures();
  const data = models.map((model) => describeModel(model, { figuresOf, dataDiscount, now }));
  return json(200, { data }, CACHEABLE);
});
