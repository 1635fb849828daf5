import type { StoredProviderKey } from '../../provider-keys/provider-key.ts';
import { DEFAULT_WORKSPACE_ID } from '../../workspaces/default-workspace.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelOf, type VideoEndpoint } from '../catalogue/endpoint.ts';
import { offeredModel } from '../catalogue/offered-endpoints.ts';
import type { ProviderSort } from '../catalogue/provider-preferences.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';
import { accountsAt } from './accounts.ts';
import type { ProviderAccount } from './candidate.ts';
import { type Choice, choose } from './choose.ts';
import { type Figures, NO_FIGURES } from './figures.ts';
import { assertKnown } from './narrow.ts';

export interface ChooserPorts {
  readonly catalogue: () => Promise<Catalogue>;
  readonly providers: ProvidersSettings;
  /** What a workspace wants where a request says nothing. */
  readonly usualSort: (workspaceId: string) => Promise<ProviderSort | null>;
  /** Of a workspace, for all providers. */
  readonly keysOf: (workspaceId: string) => Promise<readonly StoredProviderKey[]>;
  readonly figures: () => Promise<(endpoint: VideoEndpoint) => Figures>;
  readonly now: () => Date;
}

/** Whose request it is. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyHash: string;
}

/**
 * Who may serve a caller's request, and in which order.
 * @throws NotFound for a model that is not on offer
 * @throws InvalidRequest for a request that nobody can do
 */
export async function chooseForCaller(
  request: VideoRequest,
  caller: Caller,
  ports: ChooserPorts,
): Promise<Choice> {
  const { providers, now } = ports;
  const catalogue = await ports.catalogue();
  const model = offeredModel(request.model, catalogue, providers, now());
  assertKnown(request.provider, knownNames(catalogue, providers));
  // Where there is nothing to choose, nothing is read for it.
  const isOpen = model.endpoints.length > 1;
  return choose(request, model, {
    usualSort: isOpen ? await sortFor(request, caller, ports) : 'price',
    figuresOf: isOpen ? await ports.figures() : () => NO_FIGURES,
    accountsOf: await accountsFor(model.endpoints, request.model, caller, ports),
    now: now(),
  });
}

async function sortFor(
  { provider }: VideoRequest,
  caller: Caller,
  ports: ChooserPorts,
): Promise<ProviderSort> {
  return provider.sort ?? (await ports.usualSort(caller.workspaceId)) ?? 'price';
}

/** Whoever is in the catalogue, be it on offer here or not, and whoever is configured. */
const knownNames = ({ endpoints }: Catalogue, providers: ProvidersSettings): ReadonlySet<string> =>
  new Set([...endpoints.flatMap(({ id, provider }) => [id, provider]), ...Object.keys(providers)]);

/** The keys are read where they decide whether, or on whose account, an endpoint can serve. */
async function accountsFor(
  endpoints: readonly VideoEndpoint[],
  name: string,
  caller: Caller,
  ports: ChooserPorts,
) {
  const credentialOf = ({ provider }: VideoEndpoint) =>
    settingsOf(provider, ports.providers)?.credential ?? 'none';
  const credentials = endpoints.map(credentialOf);
  const decides =
    credentials.includes('shared') || (endpoints.length > 1 && credentials.includes('workspace'));
  const keys = decides ? await ports.keysOf(caller.workspaceId) : undefined;
  const isSharer = caller.workspaceId === DEFAULT_WORKSPACE_ID;
  return (endpoint: VideoEndpoint): readonly ProviderAccount[] => {
    const credential = credentialOf(endpoint);
    if (keys === undefined) return [{ isByok: credential === 'workspace', turn: 'usual' }];
    const use = { models: [name, endpoint.id, modelOf(endpoint)], keyHash: caller.keyHash };
    return accountsAt({ provider: endpoint.provider, credential, keys, use, isSharer });
  };
}
