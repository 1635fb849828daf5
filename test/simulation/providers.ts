import { micros } from '../../functions/money/micros.ts';
import { type CancelManners, type Manners, manners } from '../../functions/videos/providers/manners.ts';
import type {
  ProviderContext,
  ProviderError,
  ProviderErrorKind,
  ProviderJob,
  ProviderRef,
  ProviderState,
  Submission,
} from '../../functions/videos/providers/provider.ts';
import { never, type Process } from '../engines/index.ts';
import { CROWDED_PROVIDER, type Slowness } from './crowd.ts';
import type { Scene } from './scene.ts';
import { slowVideo, VIDEO } from './video.ts';

/** The stage's providers. Each has the manners of its vendor. */
const PROVIDERS = ['sandbox', 'kling', 'fal', 'replicate', 'runway', 'byteplus'] as const;
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
  Object.fromEntries(PROVIDERS.map((name) => [name, { credential: CREDENTIALS[name] ?? 'none' }])),
);

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

type GivenWork = Pick<Work, 'jobId' | 'account' | 'manners'>;

/** Whether its provider has stopped or deleted it at our wish. */
export const isWithdrawn = ({ stopsAt, doneAt, isDestroyed }: Work, now: number): boolean =>
  isDestroyed || (stopsAt <= now && stopsAt < doneAt);

/** The errors of the adapters, as one machine has loaded them. */
export interface AdapterErrors {
  readonly ProviderError: typeof ProviderError;
  /** What the adapters make of an answer with this status. */
  readonly answered: (status: number, retryAfterSeconds?: number) => ProviderError;
  /** @throws ProviderError where there is none */
  readonly apiKey: (context: Called) => string;
}

/** What a vendor knows of a call. */
export type Called = Pick<ProviderContext, 'settings' | 'signal' | 'apiKey'>;

/** A call from a machine. */
interface Call {
  readonly process: Process;
  readonly signal: AbortSignal;
  readonly errors: AdapterErrors;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const RESULT_HOST = 'results.cdn-of-vendors.com';

/** Nobody can know that work ends between a look at it and the request that deletes it. */
const MOMENT = 10 * SECOND;

/** The vendors' side. They remember all work that they have accepted. */
export class Providers {
  readonly works: Work[] = [];
  readonly #scene: Scene;
  readonly #random: () => number;

  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
  }

  worksOf = (jobId: string): Work[] => this.works.filter((work) => work.jobId === jobId);

  /** The provider's adapters, as one machine uses them. */
  reachedBy(process: Process, errors: AdapterErrors) {
    return (given: string) => {
      const name = PROVIDERS.find((each) => each === given);
      if (name === undefined) throw new Error(`there is no provider ${given}`);
      const own: Manners = manners[name];
      const { cancel } = own;
      const exchange = async <T>(
        context: Called,
        effect: (account: string | undefined) => T,
        submittedJob?: string,
      ) => {
        const { settings, signal } = context;
        const key = settings.credential === 'none' ? undefined : errors.apiKey(context);
        const { keys, jobs } = this.#scene;
        const account = key && keys.used(name, key, jobs.all.get(submittedJob ?? ''));
        return this.#exchange({ process, errors, signal }, () => effect(account));
      };
      return {
        name,
        manners: own,
        submit: async ({ id }: Pick<ProviderJob, 'id'>, context: Called) => {
          const accepted = (account?: string) => this.#submit({ jobId: id, account, manners: own }, errors);
          const submission = await exchange(context, accepted, id);
          const isSlow = this.#isSlow('submits', own) || this.#scene.weather.isHit(0.03);
          return isSlow ? this.#late(submission, { process, errors, signal: context.signal }) : submission;
        },
        // Like Kling, which does not know whether a task is still on its way.
        lookup: (id: string, context: Called) =>
          exchange(context, (account) => {
            const work = this.worksOf(id).find((each) => each.account === account);
            return work === undefined || this.#scene.now() < work.listedAt ? 'unknown' : submissionOf(work);
          }),
        poll: async (ref: ProviderRef, context: Called) => {
          const state = await exchange(context, (account) =>
            this.#stateOf(this.#workOn(account, ref.id), errors),
          );
          return this.#isSlow('polls', own)
            ? this.#late(state, { process, errors, signal: context.signal })
            : state;
        },
        ...(cancel && {
          cancel: (ref: ProviderRef, context: Called, how = { isAtOnce: this.#scene.weather.isHit(0.5) }) =>
            exchange(context, (account) => this.#cancel(this.#workOn(account, ref.id), cancel, how)),
        }),
      };
    };
  }

  /** Whether something takes long at the crowd's provider. */
  #isSlow = (what: Slowness, own: Manners): boolean =>
    this.#scene.weather.slow === what && own === manners[CROWDED_PROVIDER];

  async #late<T>(answer: T, { process, signal, errors }: Call): Promise<T> {
    await Promise.race([this.#scene.world.clock.wait((15 + 4 * this.#random()) * SECOND), aborted(signal)]);
    if (!process.isAlive) return never();
    return signal.aborted ? refuse(errors, 'ambiguous') : answer;
  }

  #submit(given: GivenWork, errors: AdapterErrors): Submission {
    const known = given.manners.resubmit === 'token' ? this.worksOf(given.jobId)[0] : undefined;
    if (known === undefined && this.#scene.weather.isHit(0.03)) return refuse(errors, 'refused');
    if (known === undefined && this.#scene.weather.isHit(0.02)) return refuse(errors, 'moderated');
    return submissionOf(known ?? this.#accept(given));
  }

  #accept(given: GivenWork): Work {
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

  #workOf(id: unknown): Work {
    const work = this.works[Number(id)];
    if (work === undefined) throw new Error(`no provider has made work ${id}`);
    return work;
  }

  #workOn(account: string | undefined, id: unknown): Work {
    const work = this.#workOf(id);
    if (work.account !== account)
      this.#scene.violate(
        'I15',
        `${account} asks about ${work.jobId}, which is on an account of ${work.account}`,
      );
    return work;
  }

  /** Works once: whoever asks again is told no. */
  #cancel(work: Work, { until, deletesFinished }: CancelManners, { isAtOnce }: { isAtOnce: boolean }) {
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

  #stateOf(work: Work, { answered }: AdapterErrors): ProviderState {
    const now = this.#scene.now();
    const cost = work.costMicros === undefined ? {} : { costMicros: micros(work.costMicros) };
    if (isWithdrawn(work, now)) {
      if (work.isDestroyed || work.manners.cancel?.staysReadable !== true) throw answered(404);
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

  /** One request and its answer, both of which may get lost. */
  async #exchange<T>({ process, signal, errors }: Call, effect: () => T): Promise<T> {
    if (!process.isAlive) return never();
    if (signal.aborted) return refuse(errors, 'unavailable');
    const mood = this.#scene.weather.moodOfProvider();
    await this.#scene.world.clock.wait(30 + 100 * this.#random());
    if (mood === 'down') return refuse(errors, 'unavailable');
    if (mood === 'rate limited') throw errors.answered(429, 1 + Math.floor(60 * this.#random()));
    if (mood === 'losing answers' && this.#scene.weather.isHit(0.5)) return refuse(errors, 'ambiguous');
    const answer = effect();
    await this.#scene.world.clock.wait(30 + 100 * this.#random());
    if (mood === 'hanging') await aborted(signal);
    if (!process.isAlive) return never();
    if (mood !== 'losing answers' && mood !== 'hanging') return answer;
    // A proxy may say when to come back, although the request has arrived.
    throw mood === 'losing answers' && this.#scene.weather.isHit(0.3)
      ? errors.answered(503, 5)
      : new errors.ProviderError('ambiguous', 'it is ambiguous');
  }

  /** The answer for the address of a result. */
  answers(url: URL, signal?: AbortSignal | null): Response | undefined {
    if (url.host !== RESULT_HOST) return undefined;
    if (this.#scene.weather.provider === 'down') return new Response(null, { status: 503 });
    const { doneAt, manners: own, isDestroyed } = this.#workOf(/(\d+)\.mp4$/.exec(url.pathname)?.[1]);
    const isOver = this.#scene.now() >= doneAt + (own.linkHours ?? 24) * HOUR;
    if (isOver || isDestroyed) return new Response(null, { status: 403 });
    if (this.#scene.weather.provider === 'losing answers') return new Response(VIDEO.subarray(0, 20));
    if (url.pathname.includes('no%20video')) return new Response('<html>');
    return this.#isSlow('results', own)
      ? slowVideo(this.#scene.world.clock, signal ?? undefined)
      : new Response(VIDEO);
  }
}

function refuse(errors: AdapterErrors, kind: ProviderErrorKind): never {
  throw new errors.ProviderError(kind, `it is ${kind}`);
}

const submissionOf = ({ id, jobId }: Work): Submission => ({ ref: { id }, upstreamId: `up-${jobId}` });

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
