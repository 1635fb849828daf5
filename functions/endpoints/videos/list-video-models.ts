import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { publicHandler } from '../../gate/public-handler.ts';
import { json } from '../../http/response.ts';
import { describeModel } from '../../videos/catalogue/model-view.ts';
import { offeredModels } from '../../videos/catalogue/offered-models.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=60' };

const { VIDEO_PROVIDERS } = readEnvironment({ VIDEO_PROVIDERS: providersVariable });

export const handler = publicHandler(async () =>
  json(200, { data: offeredModels(VIDEO_PROVIDERS, systemClock()).map(describeModel) }, CACHEABLE),
);
