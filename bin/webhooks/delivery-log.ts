import * as v from 'valibot';

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
const errorSchema = v.object({ error: v.object({ message: v.string() }) });

export type Delivery = Readonly<v.InferOutput<typeof deliverySchema>>;
/** Newest first. */
export type DeliveryPage = Readonly<v.InferOutput<typeof pageSchema>>;

/** The API will not say, now or later. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';
}

/** The API did not answer, or could not for now. */
export class ApiUnavailable extends Error {
  override readonly name = 'ApiUnavailable';
}

/** A workspace's deliveries, as the API lists them. */
export class DeliveryLog {
  readonly #url: string;
  readonly #key: string;
  readonly #fetch: typeof fetch;

  constructor(url: string, key: string, fetcher: typeof fetch) {
    this.#url = url;
    this.#key = key;
    this.#fetch = fetcher;
  }

  /** @throws ApiRefused, ApiUnavailable */
  async page(cursor: string | null): Promise<DeliveryPage> {
    const query = new URLSearchParams({ limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) });
    const response = await this.#get(`${this.#url}?${query}`);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return parsePage(body);
    const told = v.safeParse(errorSchema, body);
    const message = `The API answered ${response.status}${told.success ? `: ${told.output.error.message}` : ''}`;
    const isPassing = response.status >= 500 || response.status === 429;
    throw isPassing ? new ApiUnavailable(message) : new ApiRefused(message);
  }

  async #get(url: string): Promise<Response> {
    try {
      return await this.#fetch(url, { headers: { authorization: `Bearer ${this.#key}` } });
    } catch (cause) {
      throw new ApiUnavailable(`${new URL(url).origin} cannot be reached`, { cause });
    }
  }
}

function parsePage(body: unknown): DeliveryPage {
  const page = v.safeParse(pageSchema, body);
  if (page.success) return page.output;
  throw new ApiRefused(`The API’s list of deliveries is not what it should be: ${page.issues[0].message}`);
}
