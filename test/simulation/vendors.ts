import type { Job } from '../../functions/videos/jobs/job.ts';
import { manners } from '../../functions/videos/providers/manners.ts';
import type { ProviderState, VideoProvider } from '../../functions/videos/providers/provider.ts';
import { never, type Process } from '../engines/index.ts';
import { type VendorName, type Wire, wiresFor } from '../videos/providers/wires.ts';
import { CROWDED_PROVIDER } from './crowd.ts';
import { type AdapterKit, PLAIN_HOST, plainAdapter } from './plain-adapter.ts';
import { type GivenWork, PROVIDERS, type ProviderName, RESULT_HOST, type Work } from './providers.ts';
import type { Scene } from './scene.ts';
import { slowVideo, VIDEO } from './video.ts';

/** How a vendor is spoken to. */
interface Speech {
  readonly host: string;
  readonly wire: (id: string) => Pick<Wire, 'submit' | 'created' | 'poll' | 'cancel' | 'refusal'>;
  readonly told: (state: ProviderState, id: string) => object;
}

const plain = (name: ProviderName): Speech => ({
  host: `${name}.${PLAIN_HOST}`,
  wire: (id) => ({
    submit: 'POST /v1/work',
    created: { id },
    poll: `GET /v1/work/${id}`,
    cancel: `DELETE /v1/work/${id}`,
  }),
  told: (state) => state,
});

/** In its own words. */
const own = (name: VendorName, host: string, failed: string): Speech => ({
  host,
  wire: (id) => wiresFor(id)[name],
  told: (state, id) => {
    const { words, told } = wiresFor(id)[name];
    const [queued, running, succeeded, cancelled = ''] = words;
    const word = { queued, running, succeeded, cancelled, failed, expired: failed }[state.state];
    const [output] = state.state === 'succeeded' ? state.outputs : [];
    return told(word, output?.kind === 'url' ? output.url : '');
  },
});

/** The vendors that shipped adapters reach in some histories. */
const SHIPPED: Partial<Record<ProviderName, Speech>> = {
  byteplus: own('byteplus', 'ark.ap-southeast.bytepluses.com', 'failed'),
  runway: own('runway', 'api.dev.runwayml.com', 'FAILED'),
  kling: own('kling', 'api-singapore.klingai.com', 'failed'),
};

/** A request to a vendor. */
interface Call {
  readonly name: ProviderName;
  readonly process: Process;
  /** Its method and path, which may end in an id: of work, or of a job. */
  readonly route: string;
  readonly id: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The providers of a stage, as they are reached over HTTP. */
export class Vendors {
  readonly #scene: Scene;
  readonly #random: () => number;
  readonly #shipped: typeof SHIPPED;
  /** The bodies of all submits. Work can be looked up by the id that its own names. */
  readonly #submits: string[] = [];

  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
    this.#shipped = random() < 0.3 ? SHIPPED : {};
  }

  /** Undefined where the shipped adapter is used. */
  adapter = (given: string, kit: AdapterKit): VideoProvider | undefined => {
    const name = PROVIDERS.find((each) => each === given);
    if (name === undefined) throw new Error(`there is no provider ${given}`);
    return this.#shipped[name] ? undefined : plainAdapter(name, kit);
  };

  #speech = (name: ProviderName): Speech => this.#shipped[name] ?? plain(name);

  /** Undefined for an address that is no vendor's. */
  answer(process: Process, url: URL, init: RequestInit): Promise<Response> | Response | undefined {
    const signal = init.signal ?? new AbortController().signal;
    if (url.host === RESULT_HOST) return this.#result(url, signal);
    const name = PROVIDERS.find((each) => this.#speech(each).host === url.host);
    if (name === undefined) return undefined;
    const id = url.pathname.split('/').at(-1) ?? '';
    const key = new Headers(init.headers).get('authorization')?.split(' ')[1];
    const route = `${init.method} ${url.pathname}`;
    return this.#exchange({ name, process, route, id, body: String(init.body), key, signal });
  }

  /** One request and its answer, both of which may get lost. */
  async #exchange(call: Call): Promise<Response> {
    const { process, signal } = call;
    const { weather, world } = this.#scene;
    if (!process.isAlive) return never();
    const mood = weather.moodOfProvider();
    if (mood === 'down') throw connectionError('ECONNREFUSED');
    if (mood === 'rate limited') return later(429, 1 + Math.floor(60 * this.#random()));
    if (mood === 'losing answers' && weather.isHit(0.5)) throw connectionError('ECONNRESET');
    const answer = this.#serve(call);
    await Promise.race([world.clock.wait(this.#paceOf(call)), aborted(signal)]);
    if (mood === 'hanging') await aborted(signal);
    if (!process.isAlive) return never();
    // A proxy may say when to come back, although the request has arrived.
    if (mood === 'losing answers' && weather.isHit(0.3)) return later(503, 5);
    if (signal.aborted || mood === 'losing answers') throw connectionError('ECONNRESET');
    return answer;
  }

  #paceOf({ name, route }: Call): number {
    const { slow, isHit } = this.#scene.weather;
    const isOfCrowd = name === CROWDED_PROVIDER;
    const isLate = route.startsWith('POST')
      ? (isOfCrowd && slow === 'submits') || isHit(0.03)
      : isOfCrowd && slow === 'polls' && route.startsWith('GET');
    return isLate ? (15 + 4 * this.#random()) * SECOND : 30 + 100 * this.#random();
  }

  #serve({ name, route, id, body, key }: Call): Response {
    const { wire } = this.#speech(name);
    const { submit, poll, cancel } = wire(id);
    const job = route === submit ? this.#jobNamedIn(body) : undefined;
    const account = key === undefined ? undefined : this.#scene.keys.used(name, key, job);
    switch (route) {
      case submit:
        this.#submits.push(body);
        return this.#submit(name, body, { jobId: job?.id ?? '', account, manners: manners[name] });
      case poll:
        return id.startsWith('vid_') ? this.#lookUp(name, id, account) : this.#tell(name, id, account);
      case cancel:
        return this.#cancel(name, id, account);
      default:
        return gone();
    }
  }

  /** Every prompt names its order, which becomes one job at most. Few vendors are told the id of the job. */
  #jobNamedIn(request: string): Job | undefined {
    const order = /Order (\d+) of/.exec(request)?.[1];
    return [...this.#scene.jobs.all.values()].find(({ metadata }) => metadata?.order === order);
  }

  #submit(name: ProviderName, body: string, given: GivenWork): Response {
    const { providers, weather, calls } = this.#scene;
    const [, url] = /"callback_url":"([^"]+)"/.exec(body) ?? [];
    const address = url === undefined ? undefined : calls.given(url);
    const known = given.manners.resubmit === 'token' ? providers.worksOf(given.jobId)[0] : undefined;
    if (known === undefined && weather.isHit(0.03)) return refused('refused');
    if (known === undefined && weather.isHit(0.02)) return refused('moderated');
    const work = known ?? providers.accept(given);
    if (address !== undefined) void calls.follow(address, work);
    return this.#created(name, work);
  }

  #created = (name: ProviderName, { id }: Work): Response =>
    Response.json(this.#speech(name).wire(String(id)).created);

  #lookUp(name: ProviderName, jobId: string, account: string | undefined): Response {
    const work = this.#scene.providers.worksOf(jobId).find((each) => each.account === account);
    const isNamed = this.#submits.some((request) => request.includes(`"external_task_id":"${jobId}"`));
    const isListed = work !== undefined && isNamed && this.#scene.now() >= work.listedAt;
    return isListed ? this.#created(name, work) : gone();
  }

  #tell(name: ProviderName, id: string, account: string | undefined): Response {
    const { providers } = this.#scene;
    const state = providers.stateOf(providers.workOn(account, id));
    return state === 'gone' ? gone() : Response.json(this.#speech(name).told(state, id));
  }

  #cancel(name: ProviderName, id: string, account: string | undefined): Response {
    const { providers, weather } = this.#scene;
    const isAtOnce = this.#shipped[name] !== undefined || weather.isHit(0.5);
    const outcome = providers.stop(providers.workOn(account, id), isAtOnce);
    const { refusal = 409 } = this.#speech(name).wire(id);
    return Response.json({ outcome }, { status: outcome === 'not_possible' ? refusal : 200 });
  }

  /** The answer for the address of a result. */
  #result({ pathname }: URL, signal: AbortSignal): Response {
    const { providers, weather, world, now } = this.#scene;
    if (weather.provider === 'down') return new Response(null, { status: 503 });
    const { doneAt, isDestroyed, manners: of } = providers.workOf(/(\d+)\.mp4$/.exec(pathname)?.[1]);
    if (isDestroyed || now() >= doneAt + (of.linkHours ?? 24) * HOUR)
      return new Response(null, { status: 403 });
    if (weather.provider === 'losing answers') return new Response(VIDEO.subarray(0, 20));
    if (pathname.includes('no%20video')) return new Response('<html>');
    const isSlow = weather.slow === 'results' && of === manners[CROWDED_PROVIDER];
    return isSlow ? slowVideo(world.clock, signal) : new Response(VIDEO);
  }
}

const gone = () => new Response(null, { status: 404 });

const refused = (code: 'refused' | 'moderated') =>
  Response.json({ error: { code, message: `it is ${code}` } }, { status: 400 });

const later = (status: number, seconds: number) =>
  new Response(null, { status, headers: { 'retry-after': String(seconds) } });

const connectionError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('lost'), { code }) });

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
