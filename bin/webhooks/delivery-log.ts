import * as v from 'valibot';
import type { Api } from '../cli/api.ts';

const deliverySchema = v.object({
  id: v.string(),
  type: v.string(),
  /** As it is sent, byte for byte. */
  body: v.string(),
  status: v.string(),
  /** How many were made, and what became of them, oldest first. */
  attempts: v.number(),
  history: v.array(v.object({ outcome: v.string() })),
  created_at: v.string(),
});
const pageSchema = v.object({ data: v.array(deliverySchema), cursor: v.nullable(v.string()) });
/** The most that the API gives at once. */
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
