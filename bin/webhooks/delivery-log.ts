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
export type DeliveryPage = Readonly<v.InferOutput<typeof pageSchema>>;

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
