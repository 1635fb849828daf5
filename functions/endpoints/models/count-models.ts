import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { deployedCatalogue, videoProviders } from '../../deployed/videos.ts';
import { query } from '../../http/call.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { asksForVideos, modelCountQuery } from '../../videos/catalogue/model-choice.ts';
import { offeredModels } from '../../videos/routing/narrow.ts';
import { routes } from './definition.ts';

const providers = videoProviders();
const catalogue = deployedCatalogue();

export const handler = publicHandler(routes['count-models'], async (call) => {
  const asked = query(call, modelCountQuery);
  const count = asksForVideos(asked) ? offeredModels(await catalogue(), providers, systemClock()).length : 0;
  return json(200, { data: { count } }, FOR_A_MINUTE);
});
