import { routeHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { providerKeyStore } from '../../deployed/stores.ts';
import { videoProviders } from '../../deployed/videos.ts';
import { json } from '../../http/response.ts';
import { listedEndpoint } from '../../videos/catalogue/listed-model.ts';
import { settingsOf } from '../../videos/providers/provider-settings.ts';
import { retainsNothing } from '../../videos/routing/choose-for-caller.ts';
import { DEFAULT_WORKSPACE_ID } from '../../workspaces/workspace.ts';
import { routes } from './definition.ts';

const models = shownModels();
const providers = videoProviders();
const providerKeys = providerKeyStore();

export const handler = routeHandler(routes['list-zdr-endpoints'], async ({ principal }) => {
  const { workspaceId, keyHash, creator: userId } = principal;
  const keys = await Array.fromAsync(providerKeys.list(workspaceId));
  const isSharer = workspaceId === DEFAULT_WORKSPACE_ID;
  const data = (await models()).flatMap((model) =>
    model.endpoints
      .filter(({ id, provider }) => {
        const credential = settingsOf(provider, providers)?.credential ?? 'none';
        const use = { models: [id, model.id], keyHash, userId };
        return retainsNothing({ provider, credential, keys, use, isSharer });
      })
      .map((endpoint) => listedEndpoint(endpoint, model)),
  );
  return json(200, { data });
});
