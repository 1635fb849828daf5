import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { setExpression } from '../../aws/set-expression.ts';
import { type Sample, sampleSchema } from './figures.ts';

/** All rows have the same partition, because they are read together. */
const PART = 'all';

/** Each sample takes a random place, and so replaces an older one once all are taken: no write has to read first. */
const PLACES = 64;

const rowSchema = v.object({
  endpoint: v.string(),
  rests_until: v.optional(v.number(), 0),
  samples: v.optional(v.record(v.string(), sampleSchema), {}),
});

/** What is known of an endpoint. Of a provider only the end of its rest is known. */
export interface FigureRow {
  readonly samples: readonly Sample[];
  readonly restsUntil: number;
}

export class FigureStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * By the id of the endpoint, or the name of the provider. Eventually consistent, which is good enough for figures.
   */
  async readAll(): Promise<Map<string, FigureRow>> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: '#part = :part',
        ExpressionAttributeNames: { '#part': 'part' },
        ExpressionAttributeValues: { ':part': PART },
      },
    );
    const rows = new Map<string, FigureRow>();
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        const { endpoint, samples, rests_until: restsUntil } = v.parse(rowSchema, fromAttributes(item));
        rows.set(endpoint, { samples: Object.values(samples), restsUntil });
      }
    }
    return rows;
  }

  /** @param random is in [0, 1) */
  async addSamples(endpoint: string, samples: readonly Sample[], random: () => number): Promise<void> {
    const placed = new Map(samples.map((sample) => [`s${Math.floor(random() * PLACES)}`, sample]));
    await this.#set(endpoint, Object.fromEntries(placed));
  }

  /** The provider is left alone until then, in milliseconds since the epoch. */
  async noteRest(provider: string, until: number): Promise<void> {
    await this.#set(provider, { rests_until: until });
  }

  async #set(endpoint: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const { set, names, values } = setExpression(fields);
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { part: PART, endpoint },
        UpdateExpression: set,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    );
  }
}

const fromAttributes = ({ endpoint, rests_until, ...places }: Record<string, unknown>) => ({
  endpoint,
  rests_until,
  samples: Object.fromEntries(Object.entries(places).filter(([name]) => /^s\d+$/.test(name))),
});
