import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { deployedCatalogue, videoProviders } from '../../deployed/videos.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { offeredModels } from '../../videos/routing/narrow.ts';
import { routes } from './definition.ts';

const settings = videoProviders();
const catalogue = deployedCatalogue();

/** What Genway does not know of a provider. */
const UNKNOWN = {
  privacy_policy_url: null,
  terms_of_service_url: null,
  status_page_url: null,
  headquarters: null,
  datacenters: null,
};

export const handler = publicHandler(routes['list-providers'], async () => {
  const models = offeredModels(await catalogue(), settings, systemClock());
  const names = new Set(models.flatMap(({ offers }) => offers.map(({ provider }) => provider)));
  const data = [...names].sort().map((slug) => ({ name: slug, slug, ...UNKNOWN }));
  return json(200, { data }, FOR_A_MINUTE);
});
