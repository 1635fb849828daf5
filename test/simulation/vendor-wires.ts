import { defined } from '../../functions/defined.ts';
import { ProviderError, type ProviderState } from '../../functions/videos/providers/provider.ts';
import type { Process } from '../engines/index.ts';
import { type VendorName, wiresFor } from '../videos/providers/wires.ts';
import type { AdapterErrors, Called, Providers } from './providers.ts';
import type { Scene } from './scene.ts';

/** The vendors that shipped adapters reach over HTTP in some histories, with their hosts and words for a failure. */
const WIRED = {
  byteplus: { host: 'ark.ap-southeast.bytepluses.com', failed: 'failed' },
  runway: { host: 'api.dev.runwayml.com', failed: 'FAILED' },
  kling: { host: 'api-singapore.klingai.com', failed: 'failed' },
} as const satisfies Partial<Record<VendorName, object>>;
const NAMES = ['byteplus', 'runway', 'kling'] as const;
type Wired = keyof typeof WIRED;

export const isWired = (name: string): boolean => NAMES.some((each) => each === name);

/** An answer that is no success. */
class Answered extends ProviderError {
  readonly response: Response;

  constructor(status: number, retryAfterSeconds?: number) {
    super('refused', `it answers ${status}`);
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    this.response = Response.json({}, { status, headers });
  }
}

const ERRORS: AdapterErrors = {
  ProviderError,
  answered: (status, retryAfterSeconds) => new Answered(status, retryAfterSeconds),
  apiKey: ({ apiKey = '' }) => apiKey,
};

/** The simulated vendors behind HTTP, each in its own words. */
export class VendorWires {
  readonly #scene: Scene;
  /** The bodies of all submits. Work can be looked up by the id that its own names. */
  readonly #submits: string[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Undefined for an address that is no vendor's. */
  answer(process: Process, url: URL, init: RequestInit): Promise<Response> | undefined {
    const name = NAMES.find((each) => WIRED[each].host === url.host);
    return name && this.#answer(process, name, `${init.method} ${url.pathname}`, init);
  }

  async #answer(process: Process, name: Wired, route: string, init: RequestInit): Promise<Response> {
    const vendor = this.#scene.providers.reachedBy(process, ERRORS)(name);
    try {
      return await this.#serve(vendor, name, route, init);
    } catch (error) {
      if (error instanceof Answered) return error.response;
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'unavailable') throw connectionError('ECONNREFUSED');
      if (error.kind === 'ambiguous') throw connectionError('ECONNRESET');
      return Response.json({ error: { message: error.message } }, { status: 400 });
    }
  }

  /** Every prompt names its order, which becomes one job at most. Few vendors are told the id of the job. */
  #jobNamedIn(request: string): string {
    const order = /Order (\d+) of/.exec(request)?.[1];
    return [...this.#scene.jobs.all.values()].find(({ metadata }) => metadata?.order === order)?.id ?? '';
  }

  async #serve(
    vendor: ReturnType<ReturnType<Providers['reachedBy']>>,
    name: Wired,
    route: string,
    init: RequestInit,
  ): Promise<Response> {
    const context = calledBy(init);
    const id = route.split('/').at(-1) ?? '';
    const wire = wiresFor(id)[name];
    switch (route) {
      case wire.submit: {
        const request = String(init.body);
        this.#submits.push(request);
        const submission = await vendor.submit({ id: this.#jobNamedIn(request) }, context);
        return Response.json(wiresFor(String(submission.ref.id))[name].created);
      }
      case wire.poll: {
        if (!id.startsWith('vid_'))
          return Response.json(toldOf(name, id, await vendor.poll({ id }, context)));
        const found = await vendor.lookup(id, context);
        const isNamed = this.#submits.some((request) => request.includes(`"external_task_id":"${id}"`));
        if (typeof found === 'string' || !isNamed) return new Response(null, { status: 404 });
        return Response.json(wiresFor(String(found.ref.id))[name].created);
      }
      case wire.cancel: {
        const outcome = (await vendor.cancel?.({ id }, context, { isAtOnce: true })) ?? 'not_possible';
        return Response.json({}, { status: outcome === 'not_possible' ? (wire.refusal ?? 409) : 200 });
      }
      default:
        return new Response(null, { status: 404 });
    }
  }
}

function calledBy(init: RequestInit): Called {
  const apiKey = new Headers(init.headers).get('authorization')?.split(' ')[1];
  const signal = init.signal ?? new AbortController().signal;
  const settings = { credential: apiKey === undefined ? 'none' : 'workspace' } as const;
  return { settings, signal, ...defined({ apiKey }) };
}

function toldOf(name: Wired, id: string, state: ProviderState): object {
  const { words, told } = wiresFor(id)[name];
  const [queued, running, succeeded, cancelled = ''] = words;
  const { failed } = WIRED[name];
  const word = { queued, running, succeeded, cancelled, failed, expired: failed }[state.state];
  const [output] = state.state === 'succeeded' ? state.outputs : [];
  return told(word, output?.kind === 'url' ? output.url : '');
}

const connectionError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('lost'), { code }) });
