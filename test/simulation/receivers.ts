import { createHmac, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { VirtualClock } from '../engines/index.ts';
import type { Violate } from './watched-rows.ts';
import type { Weather } from './weather.ts';

/** A workspace's secret. */
export interface Signer {
  readonly workspace: string;
  readonly secret: KeyObject;
}

/** A webhook, as its receiver got it. */
export interface Delivery {
  readonly host: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
  readonly status: number;
  /** The secrets that have signed it. */
  readonly signedWith: readonly Signer[];
}

/** The receivers of webhooks. Their state depends on the weather. */
export class Receivers {
  readonly deliveries: Delivery[] = [];
  /** All secrets that a workspace had, has or may get. The last one that has signed comes first. */
  readonly secrets: Signer[] = [];
  readonly #clock: VirtualClock;
  readonly #weather: Weather;
  readonly #onDelivery: (delivery: Delivery) => void;

  constructor(clock: VirtualClock, weather: Weather, onDelivery: (delivery: Delivery) => void) {
    this.#clock = clock;
    this.#weather = weather;
    this.#onDelivery = onDelivery;
  }

  async answer(url: URL, init: RequestInit): Promise<Response> {
    const mood = this.#weather.receivers.get(url.host) ?? 'well';
    if (mood === 'hanging') return aborted(init.signal);
    const response = ANSWERS[mood]();
    const headers = new Headers(init.headers);
    const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
    const body = String(init.body);
    const signatures = new Set((headers.get('webhook-signature') ?? '').match(/v1,\S+/g));
    const signedWith = this.#signersOf(`${id}.${timestamp}.${body}`, signatures);
    const at = this.#clock.now().getTime();
    const delivery = { host: url.host, id, body, at, status: response.status, signedWith };
    this.deliveries.push(delivery);
    this.#onDelivery(delivery);
    if (mood === 'losing answers') throw connectionLost();
    return response;
  }

  /** All secrets sign differently, so each signature belongs to one of them. */
  #signersOf(content: string, signatures: ReadonlySet<string>): readonly Signer[] {
    const signers: Signer[] = [];
    for (const [at, signer] of [...this.secrets].entries()) {
      if (signers.length === signatures.size) break;
      const signature = `v1,${createHmac('sha256', signer.secret).update(content).digest('base64')}`;
      if (!signatures.has(signature)) continue;
      signers.push(signer);
      this.secrets.unshift(...this.secrets.splice(at, 1));
    }
    return signers;
  }
}

const ANSWERS = {
  well: () => new Response('thank you'),
  'losing answers': () => new Response('thank you'),
  failing: () => new Response('alas', { status: 500 }),
  gone: () => new Response(null, { status: 410 }),
  busy: () => new Response(null, { status: 429, headers: { 'retry-after': '120' } }),
  redirecting: () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.com/' } }),
} as const;

const connectionLost = () =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
  });

const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

const deliverySchema = v.object({ type: v.string(), data: v.object({ id: v.string() }) });

/**
 * I5: an event is sent after the job's end is stored, with the same body each time, signed for its own workspace only.
 */
export class ToldEvents {
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #violate: Violate;
  readonly #bodies = new Map<string, string>();

  constructor(jobs: ReadonlyMap<string, Job>, violate: Violate) {
    this.#jobs = jobs;
    this.#violate = violate;
  }

  judge({ id, body, signedWith, host }: Delivery): void {
    const { type, data } = v.parse(deliverySchema, JSON.parse(body));
    const job = this.#jobs.get(data.id);
    if (job === undefined || id !== eventIdOf(data.id)) {
      this.#violate('I5', `${id} reports ${data.id}, which does not exist`);
      return;
    }
    if (job.phase !== 'settled' || type !== `video.generation.${job.status}`)
      this.#violate('I5', `${id} reports ${type} for ${job.id}, which is ${job.status}`);
    if ((this.#bodies.get(id) ?? body) !== body)
      this.#violate('I5', `${id} reports something else than before`);
    this.#bodies.set(id, body);
    if (signedWith.length === 0 || signedWith.some(({ workspace }) => workspace !== job.workspace_id))
      this.#violate('I5', `${id} to ${host} is signed by ${signedWith.map(({ workspace }) => workspace)}`);
  }
}
