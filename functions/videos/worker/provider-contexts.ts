import type { AwsRole } from '../../aws/own-role.ts';
import { signDownload, signedFetch } from '../../aws/signatures.ts';
import { defined } from '../../defined.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import type { AllowedHosts } from '../../egress/url-policy.ts';
import type { ProviderKeyUse } from '../../provider-keys/provider-secrets.ts';
import { DEFAULT_WORKSPACE_ID } from '../../workspaces/workspace.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelOf } from '../catalogue/offer.ts';
import type { Job } from '../jobs/job.ts';
import {
  DecryptedKey,
  type OwnAccount,
  type ProviderContext,
  type ProviderInputs,
} from '../providers/provider.ts';
import {
  type ProviderSettings,
  type ProvidersSettings,
  settingsOf,
  takesKeys,
} from '../providers/provider-settings.ts';

export interface ProviderContextsOptions {
  readonly catalogue: () => Promise<Catalogue>;
  readonly providers: ProvidersSettings;
  readonly allowedHosts: AllowedHosts;
  /** The limit of one exchange with a provider. */
  readonly milliseconds: number;
  /** How long the other side may be silent. @default as long as the exchange may take */
  readonly silenceMilliseconds?: number;
  /** The key that a workspace has stored for a provider, if it is for this use. */
  readonly keyOf: (workspaceId: string, provider: string, use: ProviderKeyUse) => Promise<string | undefined>;
  /** @default none, for whoever submits nothing */
  readonly inputsOf?: (workspaceId: string) => ProviderInputs;
  /** @default none, for whoever calls no provider with the stage's own account */
  readonly accountFor?: (settings: ProviderSettings) => OwnAccount;
  readonly now: () => Date;
}

/** Whose job it is, and what for. */
type JobOfCaller = Pick<
  Job,
  'workspace_id' | 'model' | 'endpoint' | 'endpoint_of' | 'key_hash' | 'creator' | 'is_byok'
>;

/** For jobs that were accepted before the stage stopped offering their provider. */
const vendorDefaults = (provider: string): ProviderSettings => ({
  credential: takesKeys(provider) ? 'workspace' : 'none',
});

const unread = () => Promise.reject(new Error('an input was read outside of a submission'));
const NO_INPUTS: ProviderInputs = { link: unread, read: unread };

/** Makes what adapters get, for each provider and workspace. */
export class ProviderContexts {
  readonly #options: ProviderContextsOptions;
  readonly #ways = new Map<string, typeof fetch>();

  constructor(options: ProviderContextsOptions) {
    this.#options = options;
  }

  /** A new one for each call: its signal limits one exchange. */
  async of(provider: string, job: JobOfCaller): Promise<ProviderContext> {
    const { providers, inputsOf = () => NO_INPUTS, accountFor, now, milliseconds } = this.#options;
    const settings = settingsOf(provider, providers) ?? vendorDefaults(provider);
    const { workspace_id: workspaceId } = job;
    const key = settings.credential === 'none' ? undefined : await this.#keyFor(job, provider, settings);
    const apiKey = key === undefined ? undefined : new DecryptedKey(key);
    return {
      settings,
      inputs: inputsOf(workspaceId),
      fetch: this.#wayTo(provider, settings),
      now,
      signal: AbortSignal.timeout(milliseconds),
      ...defined({ apiKey, account: accountFor?.(settings) }),
    };
  }

  /** The workspace's own key for this use, or the one that the deployment shares with all keys of all workspaces. */
  async #keyFor(job: JobOfCaller, provider: string, settings: ProviderSettings): Promise<string | undefined> {
    const { keyOf, catalogue } = this.#options;
    const { workspace_id: workspaceId, model, endpoint: id = model, endpoint_of } = job;
    const offer = (await catalogue()).offerOf(job);
    const names = [model, id, endpoint_of, offer && modelOf(offer)];
    const models = names.filter((name) => name !== undefined);
    const isShared = settings.credential === 'shared' && !job.is_byok;
    if (isShared) return keyOf(DEFAULT_WORKSPACE_ID, provider, { models });
    const { key_hash: keyHash, creator: userId = keyHash } = job;
    return keyOf(workspaceId, provider, { models, keyHash, userId });
  }

  #wayTo(provider: string, settings: ProviderSettings): typeof fetch {
    const known = this.#ways.get(provider);
    if (known !== undefined) return known;
    const way = wayTo(settings, this.#options);
    this.#ways.set(provider, way);
    return way;
  }
}

type WayOptions = Pick<ProviderContextsOptions, 'allowedHosts' | 'milliseconds' | 'silenceMilliseconds'>;

/** The deployer's own address for a provider may be private. It is open to calls of that provider only. */
function wayTo(
  { base_url }: ProviderSettings,
  { allowedHosts, milliseconds, silenceMilliseconds }: WayOptions,
): typeof fetch {
  const own = base_url === undefined ? [] : [new URL(base_url).host];
  return createEgress({
    allowed: new Set([...allowedHosts, ...own]),
    deadlineMilliseconds: milliseconds,
    ...defined({ silenceMilliseconds }),
  });
}

export type KeyContextOptions = WayOptions & Pick<ProviderContextsOptions, 'now'>;

/** For a key that no job uses yet. */
export const contextOfKey = (
  secret: string,
  settings: ProviderSettings,
  options: KeyContextOptions,
): ProviderContext => ({
  settings,
  inputs: NO_INPUTS,
  fetch: wayTo(settings, options),
  now: options.now,
  signal: AbortSignal.timeout(options.milliseconds),
  apiKey: new DecryptedKey(secret),
});

/** A result is copied at once. */
const LINK_SECONDS = 300;

export interface OwnAccountPorts extends AwsRole {
  readonly bucket: string;
  readonly now: () => Date;
}

/** The stage's account, in which a provider's models run: by default in the stage's own region. */
export function ownAccount({ aws }: Pick<ProviderSettings, 'aws'>, ports: OwnAccountPorts): OwnAccount {
  const { region, bucket } = aws ?? ports;
  return {
    bucket,
    address: (service) => ports.endpoint ?? `https://${service}.${region}.amazonaws.com`,
    signed: (fetch, service) => signedFetch(fetch, service, { ...ports, region }),
    link: (key) => signDownload({ ...ports, region }, { bucket, key }, ports.now(), LINK_SECONDS),
  };
}
