import * as v from 'valibot';
import type { Api } from '../cli/api.ts';

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
export class DeliveryLog {
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
export interface Change {
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
