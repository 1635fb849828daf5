import { createHmac, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { Scene } from './scene.ts';

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
  readonly #scene: Scene;
  readonly #judges: readonly ((delivery: Delivery) => void)[];

  constructor(scene: Scene, judges: readonly ((delivery: Delivery) => void)[]) {
    this.#scene = scene;
    this.#judges = judges;
  }

  async answer(url: URL, init: RequestInit): Promise<Response> {
    const mood = this.#scene.weather.receivers.get(url.host) ?? 'well';
    if (mood === 'hanging') return aborted(init.signal);
    const response = ANSWERS[mood]();
    const headers = new Headers(init.headers);
    const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
    const body = String(init.body);
    const signatures = new Set((headers.get('webhook-signature') ?? '').match(/v1,\S+/g));
    const signedWith = this.#signersOf(`${id}.${timestamp}.${body}`, signatures);
    const at = this.#scene.now();
    const delivery = { host: url.host, id, body, at, status: response.status, signedWith };
    this.deliveries.push(delivery);
    for (const judge of this.#judges) judge(delivery);
    if (mood === 'losing answers') throw connectionLost();
    return response;
  }

  /** All secrets sign differently, so each signature belongs to one of them. */
  #signersOf(content: string, signatures: ReadonlySet<string>): readonly Signer[] {
    const all = this.#scene.tenants.flatMap(({ id, secrets }) =>
      secrets.map((secret) => ({ workspace: id, secret })),
    );
    return all.filter(({ secret }) =>
      signatures.has(`v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
    );
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
  readonly #scene: Scene;
  readonly #bodies = new Map<string, string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  readonly judge = ({ id, body, signedWith, host }: Delivery): void => {
    const { type, data } = v.parse(deliverySchema, JSON.parse(body));
    const job = this.#scene.jobs.all.get(data.id);
    if (job === undefined || id !== eventIdOf(data.id)) {
      this.#scene.violate('I5', `${id} reports ${data.id}, which does not exist`);
      return;
    }
    if (job.phase !== 'settled' || type !== `video.generation.${job.status}`)
      this.#scene.violate('I5', `${id} reports ${type} for ${job.id}, which is ${job.status}`);
    if ((this.#bodies.get(id) ?? body) !== body)
      this.#scene.violate('I5', `${id} reports something else than before`);
    this.#bodies.set(id, body);
    if (signedWith.length === 0 || signedWith.some(({ workspace }) => workspace !== job.workspace_id))
      this.#scene.violate(
        'I5',
        `${id} to ${host} is signed by ${signedWith.map(({ workspace }) => workspace)}`,
      );
  };
}
