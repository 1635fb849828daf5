import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { publicHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { describeModel } from '../../videos/catalogue/model-view.ts';
import { offeredModels } from '../../videos/catalogue/offered-models.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=60' };

const providers = setting('videoProviders', providersVariable);

export const handler = publicHandler('list-video-models', async () =>
  json(200, { data: offeredModels(providers, systemClock()).map(describeModel) }, CACHEABLE),
);
