import { allEndpoints, Catalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { EndpointStore } from '../../functions/videos/catalogue/offer-store.ts';
import { mergeModels } from '../../lib/bundling/plugins.ts';
import { stageConfig } from '../../lib/stage/config.ts';
import type { Deployment } from './command.ts';

/** A stage's endpoints: those of this checkout, and the store with the differences of the running stage. */
export const openEndpoints = (stage: string, { client, output }: Deployment) => ({
  base: new Catalogue(mergeModels(allEndpoints(), stageConfig(stage).videos.models)),
  store: new EndpointStore(client, output('EndpointsTable')),
});
