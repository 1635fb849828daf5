import { defined } from '../../defined.ts';
import type { Guardrail } from '../../guardrails/guardrail.ts';
import { guardrailFor, type WorkspacePolicy } from '../../guardrails/workspace-policy.ts';
import type { StoredProviderKey } from '../../provider-keys/provider-key.ts';
import { chooseKey, type ProviderKeyUse } from '../../provider-keys/provider-secrets.ts';
import { DEFAULT_WORKSPACE_ID } from '../../workspaces/workspace.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelOf, type Offer } from '../catalogue/offer.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import { type ProviderSettings, type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';
import { type Choice, choose, type ProviderAccount } from './choose.ts';
import { type Figures, NO_FIGURES } from './figures.ts';
import {
  allowedOffers,
  assertKnown,
  knownProviders,
  offeredModel,
  offeredModels,
  settleContinuation,
  withinGuardrail,
} from './narrow.ts';

export interface ChooserPorts {
  readonly catalogue: () => Promise<Catalogue>;
  readonly providers: ProvidersSettings;
  /** Undefined where there is no such workspace. */
  readonly policyOf: (workspaceId: string) => Promise<WorkspacePolicy | undefined>;
  /** Finds a guardrail by its id, other than a workspace's own. */
  readonly guardrailOf: (id: string) => Promise<Guardrail | undefined>;
  /** The stage's discount for workspaces that agree to be logged. */
  readonly dataDiscount: number;
  /** The keys of a workspace, for all providers. */
  readonly keysOf: (workspaceId: string) => Promise<readonly StoredProviderKey[]>;
  readonly figures: () => Promise<(offer: Offer, workspaceId: string) => Figures>;
  readonly now: () => Date;
}

/** Who sends the request. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyHash: string;
  readonly creator: string;
  /** The guardrail that the key names, if any. */
  readonly guardrailId: string | null;
}

/**
 * Who may serve a caller's request, and in which order.
 * @throws NotFound for a model that is not offered, or that the caller's guardrail does not allow
 * @throws InvalidRequest for a request that no offer can do
 */
export async function chooseForCaller(
  request: VideoRequest,
  caller: Caller,
  ports: ChooserPorts,
): Promise<Choice> {
  const { providers, now } = ports;
  const catalogue = await ports.catalogue();
  const offered = offeredModel(request.model, catalogue, providers, now());
  assertKnown(request.provider, knownProviders(catalogue, providers));
  const policy = await ports.policyOf(caller.workspaceId);
  const asked = settleContinuation(request, offered, () => offeredModels(catalogue, providers, now()));
  const wanted = { ...offered, offers: allowedOffers(offered, request.provider) };
  const guardrail = policy && (await guardrailFor(caller.guardrailId, policy, ports.guardrailOf));
  const isWhole = wanted.offers.length === offered.offers.length;
  const model = guardrail === undefined ? wanted : withinGuardrail(wanted, guardrail, isWhole);
  // With a single offer there is nothing to choose, and nothing is read.
  const figures = model.offers.length > 1 ? await ports.figures() : () => NO_FIGURES;
  const choice = choose(asked, model, {
    usualSort: policy?.sort ?? 'price',
    figuresOf: (offer) => figures(offer, caller.workspaceId),
    accountsOf: await accountsFor(model.offers, request.model, caller, ports),
    dataDiscount: policy?.agreesToDiscountLogging === true ? ports.dataDiscount : 0,
    now: now(),
    isWhole: model.offers.length === offered.offers.length,
  });
  if (guardrail === undefined || guardrail.limit_micros === null) return choice;
  return { ...choice, guardrailId: guardrail.id };
}

/** The keys are read only where they decide whether an offer can serve, or on whose account. */
async function accountsFor(offers: readonly Offer[], name: string, caller: Caller, ports: ChooserPorts) {
  const credentialOf = ({ provider }: Offer) => settingsOf(provider, ports.providers)?.credential ?? 'none';
  const credentials = offers.map(credentialOf);
  const decides = credentials.includes('shared') || (offers.length > 1 && credentials.includes('workspace'));
  const keys = decides ? await ports.keysOf(caller.workspaceId) : undefined;
  const isSharer = caller.workspaceId === DEFAULT_WORKSPACE_ID;
  return (offer: Offer): readonly ProviderAccount[] => {
    const credential = credentialOf(offer);
    if (keys === undefined) return [{ isByok: credential === 'workspace', turn: 'usual' }];
    const models = [name, offer.id, modelOf(offer)];
    const use = { models, keyHash: caller.keyHash, userId: caller.creator };
    return accountsAt({ provider: offer.provider, credential, keys, use, isSharer });
  };
}

export interface AccountsQuestion {
  readonly provider: string;
  readonly credential: ProviderSettings['credential'];
  /** The keys that the workspace has stored, for all providers. */
  readonly keys: readonly StoredProviderKey[];
  readonly use: ProviderKeyUse;
  /** The workspace's keys are those that the deployment shares. */
  readonly isSharer: boolean;
}

const SHARED: ProviderAccount = { isByok: false, turn: 'usual' };

/** There is no account without a key; but the caller is told so by the job's failure, not by the submit. */
const NO_KEY: ProviderAccount = { isByok: true, turn: 'never' };

/** The accounts at a provider on which a request may run; at least one. */
export function accountsAt({
  provider,
  credential,
  keys,
  use,
  isSharer,
}: AccountsQuestion): ProviderAccount[] {
  if (credential === 'none' || (credential === 'shared' && isSharer)) return [SHARED];
  const key = chooseKey(keys, provider, use);
  const own: ProviderAccount[] =
    key === undefined ? [] : [{ isByok: true, turn: key.is_fallback ? 'last' : 'first' }];
  const isShared = credential === 'shared' && !refusesShared(provider, keys, key);
  const accounts = [...own, ...(isShared ? [SHARED] : [])];
  return accounts.length === 0 ? [NO_KEY] : accounts;
}

/** Whether the workspace states that no account on which a request may run keeps anything. */
export function retainsNothing(question: AccountsQuestion): boolean {
  const { provider, credential, keys, use, isSharer } = question;
  const isShared = credential === 'shared' && isSharer;
  // A shared key serves everybody, so it is chosen whoever asks.
  const by = isShared ? defined({ models: use.models }) : use;
  if (chooseKey(keys, provider, by)?.declared_zdr !== true) return false;
  return isShared || accountsAt(question).every(({ isByok }) => isByok);
}

/** `is_byok_only` concerns the whole provider, `is_required` only what its key is for. */
function refusesShared(
  provider: string,
  keys: readonly StoredProviderKey[],
  usable: StoredProviderKey | undefined,
): boolean {
  const isOwnOnly = keys.some((key) => key.provider === provider && !key.disabled && key.is_byok_only);
  return isOwnOnly || usable?.is_required === true;
}
