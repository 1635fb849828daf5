import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import { describeModel } from '../../videos/catalogue/model-view.ts';
import { offeredModels } from '../../videos/catalogue/offered-endpoints.ts';
import { NO_FIGURES } from '../../videos/routing/figures.ts';
import { videoProviders } from './deployed.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=60' };

const providers = videoProviders();

export const handler = publicHandler('list-video-models', async () => {
  const now = systemClock();
  const models = offeredModels(bundledCatalogue, providers, now);
  const data = models.map((model) => describeModel(model, () => NO_FIGURES, now));
  return json(200, { data }, CACHEABLE);
});
