import { systemClock } from '../../clock.ts';
import { readCache } from '../../read-cache.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import type { ChooserPorts } from '../../videos/routing/choose-for-caller.ts';
import { NO_FIGURES } from '../../videos/routing/figures.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { videoProviders } from './deployed.ts';

/** How long a workspace's change of its settings may go unnoticed by a warm function. */
const SETTINGS_MILLISECONDS = 30_000;

/** What a submit needs to know to choose who serves it. */
export function chooserPorts(): ChooserPorts {
  const workspaces = workspaceStore();
  return {
    catalogue: async () => bundledCatalogue,
    providers: videoProviders(),
    usualSort: readCache({
      read: async (id) => (await workspaces.findById(id))?.default_provider_sort ?? null,
      milliseconds: SETTINGS_MILLISECONDS,
      now: systemClock,
    }),
    figures: async () => () => NO_FIGURES,
    now: systemClock,
  };
}
