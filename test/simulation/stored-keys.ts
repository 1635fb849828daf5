import * as v from 'valibot';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { DEFAULT_WORKSPACE_ID } from '../../functions/workspaces/workspace.ts';
import { chosen, command, nat, pick, placeOf, type Random } from './commands.ts';
import { SHARED_PROVIDERS } from './providers.ts';
import type { Scene } from './scene.ts';
import { KEYLESS } from './watched-jobs.ts';

/** A stored provider key, as its workspace knows it. */
interface StoredKey {
  readonly workspace: string;
  readonly provider: string;
  readonly settings: KeySettings;
  /** Unknown where no answer came. */
  readonly id: string | undefined;
  /** The secrets that it may have or have had, and since when they certainly are no longer stored. */
  readonly secrets: Map<string, number>;
  disabledAt: number;
  /** Since when it is certain that it can be used. */
  usableSince: number;
  /** Whether a change of it is under way. */
  isBusy: boolean;
}

interface KeySettings {
  readonly is_fallback?: boolean;
  readonly is_byok_only?: boolean;
  readonly allowed_models?: readonly string[];
  readonly allowed_api_key_hashes?: readonly string[];
}

const SECOND = 1_000;
/** A key is remembered for 30 seconds, and a call with it may take 20 more. */
const LONGEST_USE = (30 + 20 + 1) * SECOND;
/** An index may not show a new key for minutes, and a submit takes a while. */
const LONGEST_UNSEEN = 6 * 60 * SECOND;

const storedSchema = v.object({ data: v.object({ id: v.string() }) });

/**
 * I15: work runs on the account that its job names, with a key that is stored there and for it, and that has not been
 * replaced, disabled or deleted for longer than functions remember it.
 */
export class StoredKeys {
  readonly #keys: StoredKey[] = [];
  readonly #scene: Scene;
  #secrets = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Changes one of the keys, unless somebody else does that just now. */
  async change(at: number, how: Change): Promise<void> {
    const idle = this.#keys.filter(({ id, isBusy }) => id !== undefined && !isBusy);
    const key = chosen(idle, at);
    if (key === undefined) return;
    key.isBusy = true;
    await this.#change(key, how);
    key.isBusy = false;
  }

  /** @param workspace by default the one whose keys the deployment shares */
  async store(workspace = DEFAULT_WORKSPACE_ID, provider: string, settings: KeySettings): Promise<void> {
    const secret = this.#newSecret();
    const key = { workspace, provider, settings, secrets: new Map([[secret, FOREVER]]), ...UNTOUCHED };
    const at = this.#keys.push({ ...key, id: undefined }) - 1;
    const body = { workspace_id: workspace, provider, key: secret, ...settings };
    const answer = await this.#scene.manage('create-provider-key', { body });
    if (answer.status !== 201) return;
    const { id } = v.parse(storedSchema, answer.body).data;
    this.#keys[at] = { ...key, id, usableSince: this.#scene.now() };
  }

  async #change(key: StoredKey, how: Change): Promise<void> {
    const { manage, now } = this.#scene;
    const path = { id: key.id ?? '' };
    const wasUsable = key.usableSince;
    key.usableSince = FOREVER;
    if (how === 'delete') {
      const { status } = await manage('delete-provider-key', { path });
      // An answer may have been lost before.
      if (status === 200 || status === 404) this.#end(key, () => true);
      return;
    }
    const secret = this.#newSecret();
    if (how === 'replace') key.secrets.set(secret, FOREVER);
    if (how === 'enable') key.disabledAt = FOREVER;
    const body = { replace: { key: secret }, disable: { disabled: true }, enable: { disabled: false } }[how];
    const { status } = await manage('update-provider-key', { path, body });
    if (status !== 200) return;
    if (how === 'replace') this.#end(key, (each) => each !== secret);
    if (how === 'disable') key.disabledAt = now();
    else key.usableSince = how === 'replace' ? wasUsable : now();
  }

  #end({ secrets }: StoredKey, isOver: (secret: string) => boolean): void {
    for (const [secret, endedAt] of secrets)
      if (isOver(secret)) secrets.set(secret, Math.min(endedAt, this.#scene.now()));
  }

  /**
   * Judges a call with a key.
   * @param job as it is at the call, if that is a submit
   * @returns the workspace whose account it is
   */
  used(provider: string, secret: string, job: Job | undefined): string | undefined {
    const key = this.#keys.find(({ secrets }) => secrets.has(secret));
    if (key?.provider !== provider) {
      this.#scene.violate('I15', `${provider} is called with a key that is stored for ${key?.provider}`);
      return undefined;
    }
    const endedAt = Math.min(key.secrets.get(secret) ?? 0, key.disabledAt);
    if (this.#scene.now() > endedAt + LONGEST_USE && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate(
        'I15',
        `${provider} is called with a key that ended ${this.#scene.now() - endedAt} ms before`,
      );
    if (job !== undefined) this.#judgeSubmit(key, job);
    return key.workspace;
  }

  #judgeSubmit(key: StoredKey, job: Job): void {
    const payer = job.is_byok ? job.workspace_id : DEFAULT_WORKSPACE_ID;
    if (key.workspace !== payer)
      this.#scene.violate('I15', `${job.id} of ${payer} runs on an account of ${key.workspace}`);
    if (!isFor(key.settings, job)) this.#scene.violate('I15', `${job.id} runs with a key that is not for it`);
  }

  /** Judges a job that has begun or ended. */
  readonly judge = (job: Job, before: Job | undefined): void => {
    if (before === undefined) this.#judgePlaces(job);
    if (job.phase === 'settled' && KEYLESS.test(job.error ?? '')) this.#judgeKeyless(job);
  };

  #judgePlaces(job: Job): void {
    const own = this.#keys.filter(({ workspace }) => workspace === job.workspace_id);
    for (const { provider, is_byok } of [job, ...job.alternatives]) {
      const isOwnOnly = own.some(
        (key) =>
          key.provider === provider &&
          key.settings.is_byok_only === true &&
          this.#isUsable(key, this.#scene.now()),
      );
      if (isOwnOnly && !is_byok)
        this.#scene.violate('I15', `${job.id} may run on the account that is shared at ${provider}`);
    }
  }

  #judgeKeyless(job: Job): void {
    const payer = job.is_byok ? job.workspace_id : DEFAULT_WORKSPACE_ID;
    const begun = Date.parse(job.created_at);
    const usable = this.#keys.find(
      (key) =>
        key.workspace === payer &&
        key.provider === job.provider &&
        isFor(key.settings, job) &&
        this.#isUsable(key, begun),
    );
    if (usable !== undefined)
      this.#scene.violate('I15', `${job.id} ends without a key, and there is ${usable.id}`);
  }

  #isUsable = ({ usableSince }: StoredKey, at: number) =>
    usableSince + LONGEST_UNSEEN < at && !this.#scene.weather.hadWrongClocks;

  #newSecret = () => `secret-of-a-vendor-${this.#secrets++}`;
}

const FOREVER = Number.POSITIVE_INFINITY;
const UNTOUCHED = { disabledAt: FOREVER, usableSince: FOREVER, isBusy: false };

function isFor({ allowed_models, allowed_api_key_hashes }: KeySettings, job: Job): boolean {
  const names = [job.model, job.endpoint, job.endpoint_of];
  return (
    (allowed_models === undefined || names.some((name) => name && allowed_models.includes(name))) &&
    (allowed_api_key_hashes === undefined || (job.is_byok && allowed_api_key_hashes.includes(job.key_hash)))
  );
}

type Change = 'replace' | 'disable' | 'enable' | 'delete';

/** What keys are for. One that is for one API key only names that key when it is stored. */
const USES = [
  {},
  {},
  { is_fallback: true },
  { is_byok_only: true },
  { is_byok_only: true },
  { allowed_models: ['kling/3.0-standard'] },
  { allowed_models: ['kling/3.0-standard'] },
  { allowed_api_key_hashes: [] },
] as const satisfies readonly KeySettings[];

/** What is done with provider keys. */
export const PROVIDER_KEYS = [
  command(
    'store provider key',
    2,
    (random) => ({
      /** By default whoever runs the stage. */
      place: random() < 0.7 ? placeOf(random) : undefined,
      provider: pick(random, ['fal', 'replicate', 'kling']),
      use: pick(random, USES),
    }),
    ({ keys, tenantIn }, { place, provider, use }) => {
      if (place === undefined)
        return keys.store(undefined, provider, 'allowed_api_key_hashes' in use ? {} : use);
      const { id, keyHash } = tenantIn(place);
      return keys.store(
        id,
        provider,
        'allowed_api_key_hashes' in use ? { allowed_api_key_hashes: [keyHash] } : use,
      );
    },
  ),
  command(
    'change provider key',
    3,
    (random) => ({
      at: nat(random),
      how: pick(random, ['replace', 'replace', 'disable', 'enable', 'delete']),
    }),
    ({ keys }, { at, how }) => keys.change(at, how),
  ),
];

/** What workspaces have stored before anything else happens, so that work can run. */
export async function storeFirstKeys({ keys, tenants }: Scene, random: Random): Promise<void> {
  for (const provider of SHARED_PROVIDERS) await keys.store(undefined, provider, {});
  for (const { id } of tenants) if (random() < 0.8) await keys.store(id, 'kling', {});
}
