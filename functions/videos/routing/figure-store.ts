import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { setExpression, updateWhere } from '../../aws/dynamo-writes.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Offer } from '../catalogue/offer.ts';
import { readCache } from '../read-cache.ts';
import { type Figures, figuresOf, type Sample, sampleSchema } from './figures.ts';

/** All rows have the same partition, because they are read together. */
const PART = 'all';

/** Each sample takes a random place, and so replaces an older one once all are taken: no write has to read first. */
const PLACES = 64;

const rowSchema = v.object({
  endpoint: v.string(),
  rests_until: v.optional(v.number(), 0),
  own_rest: v.optional(v.object({ workspace_id: v.string(), until: v.number() })),
  samples: v.optional(v.record(v.string(), sampleSchema), {}),
});

/** How long a provider rests. */
export interface Rest {
  readonly provider: string;
  /** In milliseconds since the epoch. */
  readonly until: number;
  /** The only one for which it rests; undefined where it does for all. */
  readonly workspaceId: string | undefined;
}

/** What is known of an offer. Of a provider only its rests are known. */
interface FigureRow {
  readonly samples: readonly Sample[];
  /** Until when it rests for all, in milliseconds since the epoch. */
  readonly restsUntil: number;
  /** The latest rest of a workspace that left it alone by itself. */
  readonly ownRest: { readonly workspace_id: string; readonly until: number } | undefined;
}

export class FigureStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * By the id of the offer, or the name of the provider. Eventually consistent, which is good enough for figures.
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
        const { endpoint, samples, rests_until, own_rest } = v.parse(rowSchema, fromAttributes(item));
        rows.set(endpoint, { samples: Object.values(samples), restsUntil: rests_until, ownRest: own_rest });
      }
    }
    return rows;
  }

  /** @param random is in [0, 1) */
  async addSamples(offer: string, samples: readonly Sample[], random: () => number): Promise<void> {
    const placed = new Map(samples.map((sample) => [`s${Math.floor(random() * PLACES)}`, sample]));
    await this.#set(offer, Object.fromEntries(placed));
  }

  /** The rest of one workspace leaves that of all as it was, and the other way round. */
  async noteRest({ provider, until, workspaceId }: Rest): Promise<void> {
    const ownRest = { own_rest: { workspace_id: workspaceId, until } };
    await this.#set(provider, workspaceId === undefined ? { rests_until: until } : ownRest);
  }

  /** Removes what tells of a deleted workspace: that a provider rested last for it alone. */
  async *removeAll(workspaceId: string): AsyncGenerator<void> {
    for (const [endpoint, { ownRest }] of await this.readAll()) {
      if (ownRest?.workspace_id !== workspaceId) continue;
      await updateWhere(this.#client, {
        TableName: this.#table,
        Key: { part: PART, endpoint },
        UpdateExpression: 'REMOVE own_rest',
        ConditionExpression: 'own_rest.workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspaceId },
      });
      yield;
    }
  }

  async #set(id: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const { set, names, values } = setExpression(fields);
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { part: PART, endpoint: id },
        UpdateExpression: set,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    );
  }
}

const fromAttributes = ({ endpoint, rests_until, own_rest, ...places }: Record<string, unknown>) => ({
  ...{ endpoint, rests_until, own_rest },
  samples: Object.fromEntries(Object.entries(places).filter(([name]) => /^s\d+$/.test(name))),
});

interface FigureBookPorts {
  readonly store: Pick<FigureStore, 'readAll'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
}

const CACHE_MILLISECONDS = 30_000;

/**
 * How offers have done, at most half a minute ago. If that cannot be read, nothing is known. A rest that concerns
 * one workspace only is not seen by others, nor in the public list of models.
 */
export function figureBook({ store, now, log }: FigureBookPorts) {
  const read = async (): Promise<Map<string, FigureRow>> => {
    try {
      return await store.readAll();
    } catch (error) {
      log.warn('figures not read', { error });
      return new Map();
    }
  };
  const look = readCache({
    read: async () => {
      const rows = await read();
      const known = new Map<string, Figures>();
      return (offer: Offer, workspaceId?: string): Figures => {
        const { restsUntil = 0, ownRest } = rows.get(offer.provider) ?? {};
        const { samples = [] } = rows.get(offer.id) ?? {};
        const figures = known.get(offer.id) ?? figuresOf(samples, restsUntil, now());
        known.set(offer.id, figures);
        return ownRest !== undefined && ownRest.workspace_id === workspaceId
          ? { ...figures, restsUntil: Math.max(restsUntil, ownRest.until) }
          : figures;
      };
    },
    milliseconds: CACHE_MILLISECONDS,
    now,
  });
  return () => look('all');
}
