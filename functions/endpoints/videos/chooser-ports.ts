import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { readPolicy } from '../../guardrails/workspace-policy.ts';
import { shareVariable } from '../../money/micros.ts';
import { log } from '../../telemetry/logger.ts';
import { readCache } from '../../videos/read-cache.ts';
import type { ChooserPorts } from '../../videos/routing/choose-for-caller.ts';
import { figureBook } from '../../videos/routing/figure-store.ts';
import { guardrailStore } from '../guardrails/deployed.ts';
import { providerKeyStore } from '../provider-keys/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { deployedCatalogue, figureStore, videoProviders } from './deployed.ts';

/** How long a warm function may miss a change of a workspace's settings. */
const SETTINGS_MILLISECONDS = 30_000;

/** What a submit needs to know to choose who serves it. */
export function chooserPorts(): ChooserPorts {
  const cached = { milliseconds: SETTINGS_MILLISECONDS, now: systemClock };
  const stores = { client: dynamo, workspaces: workspaceStore(), guardrails: guardrailStore() };
  const keys = providerKeyStore();
  return {
    catalogue: deployedCatalogue(),
    providers: videoProviders(),
    policyOf: readCache({ ...cached, read: (id) => readPolicy(id, stores) }),
    guardrailOf: readCache({ ...cached, read: (id) => stores.guardrails.find(id) }),
    dataDiscount: setting('dataDiscount', shareVariable),
    // Not cached: whoever has just stored a key tries it next, and few requests need to know.
    keysOf: (id) => Array.fromAsync(keys.list(id)),
    figures: figureBook({ store: figureStore(), now: systemClock, log }),
    now: systemClock,
  };
}
