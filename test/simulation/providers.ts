import { micros } from '../../functions/money/micros.ts';
import type {
  ProviderError,
  ProviderErrorKind,
  ProviderState,
  Submission,
  VideoProvider,
} from '../../functions/videos/providers/provider.ts';
import { never, type Process, type VirtualClock } from '../engines/index.ts';
import type { Weather } from './weather.ts';

/** The stage's providers: one for each way to ask again after a lost answer. */
export const PROVIDERS = { sandbox: 'token', kling: 'lookup', fal: 'none', replicate: 'none' } as const;
export const MODELS = [
  'sandbox/clip-1',
  'kling/2.6-standard',
  'fal/veo-3.1-fast',
  'kling/3.0-standard',
] as const;

type Outcome =
  | 'succeeded'
  | 'failed'
  | 'moderated'
  | 'refused'
  | 'expired'
  | 'empty'
  | 'endless'
  | 'no video';

/** Work that a provider has accepted and bills. */
export interface Work {
  readonly id: number;
  readonly jobId: string;
  readonly outcome: Outcome;
  readonly doneAt: number;
  /** The cost that the provider reports, in micro-dollars. */
  readonly costMicros: number | undefined;
  cancelled: boolean;
}

const RESULT_HOST = 'results.cdn-of-vendors.com';

/** The vendors' side. They remember all work that they have accepted. */
export class Providers {
  readonly works: Work[] = [];
  readonly #clock: VirtualClock;
  readonly #weather: Weather;
  readonly #random: () => number;

  constructor(clock: VirtualClock, weather: Weather, random: () => number) {
    this.#clock = clock;
    this.#weather = weather;
    this.#random = random;
  }

  worksOf = (jobId: string): Work[] => this.works.filter((work) => work.jobId === jobId);

  /** The provider's adapters, as one machine uses them. */
  reachedBy(process: Process, Refusal: typeof ProviderError) {
    return (name: string): VideoProvider => {
      const resubmit = Object.entries(PROVIDERS).find(([each]) => each === name)?.[1];
      if (resubmit === undefined) throw new Error(`there is no provider ${name}`);
      const fail = (kind: ProviderErrorKind, retryAfterSeconds?: number) => {
        throw new Refusal(
          kind,
          `it is ${kind}`,
          retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
        );
      };
      const exchange = <T>(signal: AbortSignal, effect: () => T) =>
        this.#exchange(process, signal, fail, effect);
      return {
        name,
        manners: {
          resubmit,
          ...(name === 'sandbox'
            ? {}
            : { cancel: { until: 'finished', deletesFinished: false, staysReadable: true } }),
        },
        submit: ({ id }, { signal }) =>
          exchange(signal, () => {
            const known = resubmit === 'token' ? this.worksOf(id)[0] : undefined;
            if (known === undefined && this.#weather.isHit(0.03)) return fail('refused');
            if (known === undefined && this.#weather.isHit(0.02)) return fail('moderated');
            return submission(known ?? this.#accept(id));
          }),
        lookup: (id, { signal }) =>
          exchange(signal, () => {
            const [work] = this.worksOf(id);
            return work === undefined ? 'absent' : submission(work);
          }),
        poll: (ref, { signal }) => exchange(signal, () => this.#stateOf(this.#workOf(ref.id))),
        ...(name === 'sandbox'
          ? {}
          : {
              cancel: (ref, { signal }) =>
                exchange(signal, () => {
                  const work = this.#workOf(ref.id);
                  if (this.#clock.now().getTime() >= work.doneAt) return 'not_possible' as const;
                  work.cancelled = true;
                  return this.#weather.isHit(0.5) ? ('cancelled' as const) : ('requested' as const);
                }),
            }),
      };
    };
  }

  #accept(jobId: string): Work {
    const outcomes: readonly Outcome[] = ['failed', 'moderated', 'expired', 'empty', 'endless', 'no video'];
    const outcome =
      this.#random() < 0.7
        ? 'succeeded'
        : (outcomes[Math.floor(this.#random() * outcomes.length)] ?? 'failed');
    const seconds = this.#random() < 0.97 ? 200 * this.#random() : 9_000 * this.#random();
    const costMicros = this.#random() < 0.5 ? undefined : Math.floor(this.#random() * 3_000_000);
    const doneAt = this.#clock.now().getTime() + seconds * 1000;
    const work = { id: this.works.length, jobId, outcome, doneAt, costMicros, cancelled: false };
    this.works.push(work);
    return work;
  }

  #workOf(id: unknown): Work {
    const work = this.works[Number(id)];
    if (work === undefined) throw new Error(`no provider has made work ${id}`);
    return work;
  }

  #stateOf(work: Work): ProviderState {
    if (work.cancelled) return { state: 'cancelled', reason: 'cancelled' };
    if (this.#clock.now().getTime() < work.doneAt) return { state: 'running' };
    const cost = work.costMicros === undefined ? {} : { costMicros: micros(work.costMicros) };
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
      case 'endless':
        return { state: 'running' };
      case 'moderated':
        return { state: 'failed', reason: 'as it was to be', moderated: true };
      case 'expired':
        return { state: 'expired', reason: 'as it was to be' };
      default:
        return { state: 'failed', reason: 'as it was to be' };
    }
  }

  /** One request and its answer, both of which may get lost. */
  async #exchange<T>(
    process: Process,
    signal: AbortSignal,
    fail: (kind: ProviderErrorKind, retryAfterSeconds?: number) => never,
    effect: () => T,
  ): Promise<T> {
    if (!process.isAlive) return never();
    const mood = this.#weather.isHit(0.7) ? this.#weather.provider : 'well';
    await this.#clock.wait(30 + 100 * this.#random());
    if (mood === 'down') return fail('unavailable');
    if (mood === 'rate limited') return fail('rate_limited', 1 + Math.floor(60 * this.#random()));
    if (mood === 'losing answers' && this.#weather.isHit(0.5)) return fail('ambiguous');
    const answer = effect();
    await this.#clock.wait(30 + 100 * this.#random());
    if (mood === 'hanging') await aborted(signal);
    if (!process.isAlive) return never();
    return mood === 'losing answers' || mood === 'hanging' ? fail('ambiguous') : answer;
  }

  /** The answer for the address of a result. */
  answers(url: URL): Response | undefined {
    if (url.host !== RESULT_HOST) return undefined;
    if (this.#weather.provider === 'down') return new Response(null, { status: 503 });
    if (this.#weather.provider === 'losing answers') return new Response(VIDEO.subarray(0, 20));
    return url.pathname.includes('no%20video') ? new Response('<html>') : new Response(VIDEO);
  }
}

const submission = ({ id, jobId }: Work): Submission => ({ ref: { id }, upstreamId: `up-${jobId}` });

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

/** The smallest file that is accepted as a video. */
export const VIDEO = Buffer.concat([
  box('ftyp', 'isom0000'),
  box('moov', '        '),
  box('mdat', 'pictures'),
]);

function box(type: string, content: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type + content)]);
}
