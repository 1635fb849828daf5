import * as v from 'valibot';
import type { RequestFailure } from '../../functions/webhooks/delivery/judge-answer.ts';
import { failureOf } from '../../functions/webhooks/delivery/post-event.ts';
import { encodeSecret, signatureHeaders } from '../../functions/webhooks/signature.ts';
import { type Style, visible } from '../../local/terminal/text.ts';
import { Api, ApiUnavailable } from '../cli/api.ts';

export interface ListenOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  readonly workspace: string;
  readonly forward: string | undefined;
  readonly json: boolean;
}

interface ListenPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Resolves when it is time for the next look; to false when there should be none. */
  readonly nextLook: () => Promise<boolean>;
  /** `tell` gets lines for the user; `emit` gets the bodies of events, if the options ask for them. */
  readonly tell: (line: string) => void;
  readonly emit: (body: string) => void;
  readonly style: Style;
}

const SECRET_BYTES = 32;

/**
 * Runs until it is told to stop. Waits and retries after a temporary error, except at the first look.
 *
 * @throws ApiRefused, ApiUnavailable
 */
export async function listen(options: ListenOptions, ports: ListenPorts): Promise<void> {
  const { workspace, baseUrl, key } = options;
  const tail = new Tail(new DeliveryLog(new Api(baseUrl, key, ports.fetch), workspace));
  const secret = ports.randomBytes(SECRET_BYTES);
  await tail.begin();
  ports.tell(
    ports.style('bold', `Listening for webhooks of the workspace ${workspace}. Press Ctrl-C to stop.`),
  );
  if (options.forward !== undefined) {
    ports.tell(
      `Forwarding events to ${options.forward}, signed with a secret for this run: ${encodeSecret(secret)}`,
    );
  }
  while (await ports.nextLook()) {
    for (const change of await lookPatiently(tail, ports)) await show(change, options, secret, ports);
  }
}

async function lookPatiently(tail: Tail, { tell, style }: ListenPorts): Promise<Change[]> {
  try {
    return await tail.look();
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error;
    tell(style('yellow', visible(`${error.message}; retrying`)));
    return [];
  }
}

async function show(
  { delivery, isNew }: Change,
  options: ListenOptions,
  secret: Uint8Array,
  ports: ListenPorts,
): Promise<void> {
  ports.tell(deliveryLine(delivery, ports.style));
  if (!isNew) return;
  if (options.json) ports.emit(visible(delivery.body));
  if (options.forward === undefined) return;
  const forwarded = await forward(options.forward, delivery, secret, ports);
  ports.tell(forwardLine(options.forward, forwarded, ports.style));
}

const LOOKS: Readonly<Record<string, Parameters<Style>[0]>> = {
  delivered: 'green',
  failed: 'red',
  pending: 'yellow',
};

/** `09:43:02  video.generation.completed  msg_…  pending after 5xx, timed_out` */
function deliveryLine({ created_at, type, id, status, history }: Delivery, style: Style): string {
  const time = visible(created_at.slice('2026-01-01T'.length, '2026-01-01T00:00:00'.length));
  const outcomes = history.map(({ outcome }) => outcome).join(', ');
  const after = outcomes === '' ? '' : visible(` after ${outcomes}`);
  return `${style('dim', time)}  ${visible(`${type}  ${id}`)}  ${style(LOOKS[status] ?? 'dim', visible(status))}${after}`;
}

/** `          → 204 http://localhost:3000/hook` */
function forwardLine(url: string, forwarded: Forwarded, style: Style): string {
  if ('failure' in forwarded)
    return `          → ${style('red', forwarded.failure.replace('_', ' '))} ${url}`;
  const { status } = forwarded;
  const isTaken = status >= 200 && status < 300;
  return `          → ${style(isTaken ? 'green' : 'red', String(status))} ${url}`;
}

/** The same timeout as a real delivery. */
const DEADLINE_MILLISECONDS = 15_000;

interface ForwardPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

/** The status of the response, or why there was none. */
type Forwarded = { readonly status: number } | { readonly failure: RequestFailure };

/** Posts an event as the deliverer would, signed with a secret that only this machine uses. */
async function forward(
  url: string,
  { id, body }: Delivery,
  secret: Uint8Array,
  { fetch, now }: ForwardPorts,
): Promise<Forwarded> {
  const timestamp = Math.floor(now().getTime() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Genway-webhooks/1',
        'x-webhook-attempt': '1',
        ...signatureHeaders({ id, timestamp, body }, [secret]),
      },
      body,
      signal: AbortSignal.timeout(DEADLINE_MILLISECONDS),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

const deliverySchema = v.object({
  id: v.string(),
  type: v.string(),
  /** The exact bytes that were sent. */
  body: v.string(),
  status: v.string(),
  /** The number of attempts; `history` has their outcomes, oldest first. */
  attempts: v.number(),
  history: v.array(v.object({ outcome: v.string() })),
  created_at: v.string(),
});
const pageSchema = v.object({ data: v.array(deliverySchema), cursor: v.nullable(v.string()) });
/** The largest page of the API. */
const PAGE_SIZE = '100';

export type Delivery = Readonly<v.InferOutput<typeof deliverySchema>>;
/** Newest first. */
type DeliveryPage = Readonly<v.InferOutput<typeof pageSchema>>;

/** A workspace's deliveries, as the API lists them. */
class DeliveryLog {
  readonly #api: Pick<Api, 'ask'>;
  readonly #path: string;

  constructor(api: Pick<Api, 'ask'>, workspace: string) {
    this.#api = api;
    this.#path = `/workspaces/${encodeURIComponent(workspace)}/webhook-deliveries`;
  }

  /** @throws ApiRefused, ApiUnavailable */
  page(cursor: string | null): Promise<DeliveryPage> {
    const query = new URLSearchParams({ limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) });
    return this.#api.ask(`${this.#path}?${query}`, pageSchema);
  }
}

/** A delivery that is new since the last look, or has changed. */
interface Change {
  readonly delivery: Delivery;
  readonly isNew: boolean;
}

/** Looks at a log repeatedly and reports changes. */
export class Tail {
  readonly #log: Pick<DeliveryLog, 'page'>;
  /** The last known state of each delivery. */
  readonly #seen = new Map<string, string>();

  constructor(log: Pick<DeliveryLog, 'page'>) {
    this.#log = log;
  }

  /** Deliveries that exist already are not reported. */
  async begin(): Promise<void> {
    this.#note((await this.#log.page(null)).data);
  }

  /** @returns the changes, oldest first */
  async look(): Promise<Change[]> {
    const deliveries = await this.#upToKnown();
    const changes = deliveries
      .filter((delivery) => this.#seen.get(delivery.id) !== progressOf(delivery))
      .map((delivery) => ({ delivery, isNew: !this.#seen.has(delivery.id) }));
    this.#note(deliveries);
    return changes.reverse();
  }

  /** Reads pages until one reaches deliveries that are already known. */
  async #upToKnown(): Promise<Delivery[]> {
    const found: Delivery[] = [];
    let page: DeliveryPage | undefined;
    do {
      page = await this.#log.page(page?.cursor ?? null);
      found.push(...page.data);
    } while (page.cursor !== null && !page.data.some(({ id }) => this.#seen.has(id)));
    return found;
  }

  #note(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) this.#seen.set(delivery.id, progressOf(delivery));
  }
}

const progressOf = ({ status, attempts }: Delivery): string => `${status} ${attempts}`;
