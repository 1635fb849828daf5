import type { Delivery, DeliveryLog, DeliveryPage } from './delivery-log.ts';

/** A delivery that was not there at the last look, or that has got on since. */
export interface Change {
  readonly delivery: Delivery;
  readonly isNew: boolean;
}

/** Looks at a log again and again, and tells what has changed. */
export class Tail {
  readonly #log: Pick<DeliveryLog, 'page'>;
  /** How far each delivery had got. */
  readonly #seen = new Map<string, string>();

  constructor(log: Pick<DeliveryLog, 'page'>) {
    this.#log = log;
  }

  /** What is there already is not told of. */
  async begin(): Promise<void> {
    this.#note((await this.#log.page(null)).data);
  }

  /** Oldest first. */
  async look(): Promise<Change[]> {
    const deliveries = await this.#upToKnown();
    const changes = deliveries
      .filter((delivery) => this.#seen.get(delivery.id) !== progressOf(delivery))
      .map((delivery) => ({ delivery, isNew: !this.#seen.has(delivery.id) }));
    this.#note(deliveries);
    return changes.reverse();
  }

  /** The pages until one that reaches back to what has been seen. */
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
