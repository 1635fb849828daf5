import { micros } from '../../functions/money/micros.ts';
import type { Manners } from '../../functions/videos/providers/manners.ts';
import type { ProviderState } from '../../functions/videos/providers/provider.ts';
import type { Scene } from './scene.ts';
import { CALL_KEYS } from './vendor-calls.ts';

/** The stage's providers. Each has the manners of its vendor. */
export const PROVIDERS = ['sandbox', 'kling', 'fal', 'replicate', 'runway', 'byteplus'] as const;
export const MODELS = [
  'sandbox/clip-1',
  'kling/2.6-standard',
  'fal/veo-3.1-fast',
  'kling/3.0-standard',
  'runway/gen-4.5',
  'bytedance/seedance-1.5-pro',
] as const;

/** Those whose accounts the deployment shares with workspaces that have none of their own. */
export const SHARED_PROVIDERS = ['fal', 'replicate'] as const;

/** Whose keys the providers are called with; others need none. */
const CREDENTIALS: Partial<Record<(typeof PROVIDERS)[number], 'shared' | 'workspace'>> = {
  fal: 'shared',
  replicate: 'shared',
  kling: 'workspace',
};
export const VIDEO_PROVIDERS = JSON.stringify(
  Object.fromEntries(
    PROVIDERS.map((name) => {
      const keys = name === 'fal' ? { callback_keys: [CALL_KEYS.fal] } : {};
      return [name, { credential: CREDENTIALS[name] ?? 'none', ...keys }];
    }),
  ),
);

export type ProviderName = (typeof PROVIDERS)[number];

type Outcome = 'succeeded' | 'failed' | 'moderated' | 'expired' | 'empty' | 'endless' | 'no video';

/** Work that a provider has accepted and bills. */
export interface Work {
  readonly id: number;
  readonly jobId: string;
  /** The workspace on whose account it is; undefined where none is needed. */
  readonly account: string | undefined;
  readonly manners: Manners;
  readonly outcome: Outcome;
  readonly acceptedAt: number;
  /** From when it is found by our id. */
  readonly listedAt: number;
  readonly begunAt: number;
  readonly doneAt: number;
  /** The cost that the provider reports, in micro-dollars. */
  readonly costMicros: number | undefined;
  /** When it stops because we asked for that, unless it is done before. */
  stopsAt: number;
  /** A request to stop it came after its end, and deleted it. */
  isDestroyed: boolean;
}

export type GivenWork = Pick<Work, 'jobId' | 'account' | 'manners'>;

/** Whether its provider has stopped or deleted it at our wish. */
export const isWithdrawn = ({ stopsAt, doneAt, isDestroyed }: Work, now: number): boolean =>
  isDestroyed || (stopsAt <= now && stopsAt < doneAt);

const SECOND = 1_000;
export const RESULT_HOST = 'results.cdn-of-vendors.com';

/** Nobody can know that work ends between a look at it and the request that deletes it. */
const MOMENT = 10 * SECOND;

/** What providers do with the work that they have accepted, all of which they remember. */
export class Providers {
  readonly works: Work[] = [];
  readonly #scene: Scene;
  readonly #random: () => number;

  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
  }

  worksOf = (jobId: string): Work[] => this.works.filter((work) => work.jobId === jobId);

  accept(given: GivenWork): Work {
    const outcomes: readonly Outcome[] = ['failed', 'moderated', 'expired', 'empty', 'endless', 'no video'];
    const outcome =
      this.#random() < 0.7
        ? 'succeeded'
        : (outcomes[Math.floor(this.#random() * outcomes.length)] ?? 'failed');
    const seconds = this.#random() < 0.97 ? 200 * this.#random() : 9_000 * this.#random();
    const costMicros = this.#random() < 0.5 ? undefined : Math.floor(this.#random() * 3_000_000);
    const now = this.#scene.now();
    const listedAt = now + (this.#random() < 0.3 ? 40 * SECOND * this.#random() : 0);
    const begunAt = now + seconds * SECOND * this.#random() ** 2;
    const doneAt = outcome === 'endless' ? Number.POSITIVE_INFINITY : now + seconds * SECOND;
    const untouched = { stopsAt: Number.POSITIVE_INFINITY, isDestroyed: false };
    const times = { acceptedAt: now, listedAt, begunAt, doneAt };
    const work = { ...given, id: this.works.length, outcome, ...times, costMicros, ...untouched };
    this.works.push(work);
    return work;
  }

  workOf(id: unknown): Work {
    const work = this.works[Number(id)];
    if (work === undefined) throw new Error(`no provider has made work ${id}`);
    return work;
  }

  workOn(account: string | undefined, id: string): Work {
    const work = this.workOf(id);
    if (work.account !== account)
      this.#scene.violate(
        'I15',
        `${account} asks about ${work.jobId}, which is on an account of ${work.account}`,
      );
    return work;
  }

  /** Works once: whoever asks again is told no. */
  stop(work: Work, isAtOnce: boolean): 'cancelled' | 'requested' | 'not_possible' {
    const { until, deletesFinished } = work.manners.cancel ?? {};
    const now = this.#scene.now();
    if (work.isDestroyed || Number.isFinite(work.stopsAt)) return 'not_possible';
    const answer = isAtOnce ? 'cancelled' : 'requested';
    if (now >= work.doneAt) {
      if (!deletesFinished) return 'not_possible';
      work.isDestroyed = true;
      if (work.outcome === 'succeeded' && now > work.doneAt + MOMENT)
        this.#scene.violate('I12', `the finished video of ${work.jobId} is deleted by a request to cancel`);
      return answer;
    }
    if (until === 'begun' && now >= work.begunAt) return 'not_possible';
    work.stopsAt = answer === 'cancelled' ? now : now + 20 * SECOND * this.#random();
    return answer;
  }

  stateOf(work: Work): ProviderState | 'gone' {
    const now = this.#scene.now();
    const cost = work.costMicros === undefined ? {} : { costMicros: micros(work.costMicros) };
    if (isWithdrawn(work, now)) {
      if (work.isDestroyed || work.manners.cancel?.staysReadable !== true) return 'gone';
      return { state: 'cancelled', reason: 'cancelled', ...cost };
    }
    if (now < work.doneAt) return { state: now < work.begunAt ? 'queued' : 'running' };
    switch (work.outcome) {
      case 'succeeded':
      case 'no video':
        return {
          state: 'succeeded',
          outputs: [{ kind: 'url', url: `https://${RESULT_HOST}/${work.outcome}/${work.id}.mp4` }],
          ...cost,
        };
      case 'empty':
        return { state: 'succeeded', outputs: [], ...cost };
      case 'moderated':
        return { state: 'failed', reason: 'as it was to be', moderated: true };
      case 'expired':
        return { state: 'expired', reason: 'as it was to be' };
      default:
        return { state: 'failed', reason: 'as it was to be' };
    }
  }
}
