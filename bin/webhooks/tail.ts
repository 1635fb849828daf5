import type { Delivery, DeliveryLog, DeliveryPage } from './delivery-log.ts';

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
