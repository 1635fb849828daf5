import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type NamedItems, refusedBy, transact } from '../../aws/dynamo-writes.ts';
import { retryOnConflict } from '../../aws/retry.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { changesSchema, NO_CHANGES, type OfferChanges } from './stage-catalogue.ts';

/** The id of the one row that holds all changes. */
const CURRENT = 'current';
const ATTEMPTS = 5;
/** In bytes of JSON. A row of DynamoDB takes 400 KB, and stores a list of small numbers in half as much space again. */
const MOST_BYTES = 250_000;

const rowSchema = v.object({ version: v.number(), ...changesSchema.entries });

/** Who changed what, for later questions. */
export interface ChangeNote {
  readonly action: 'put' | 'remove' | 'pause' | 'resume' | 'restore';
  readonly offer: string;
  /** The hash of a management key, or the admin command. */
  readonly by: string;
}

/** What differs from the deployed file, and the record of who changed it. */
export class OfferStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async read(): Promise<OfferChanges> {
    return (await this.#find(false))?.changes ?? NO_CHANGES;
  }

  /**
   * Tries an edit without writing it.
   * @returns the changes before it
   * @throws InvalidRequest where there is no room for it
   */
  async tried(edit: (changes: OfferChanges) => OfferChanges): Promise<OfferChanges> {
    const before = (await this.#find(true))?.changes ?? NO_CHANGES;
    assertFits(edit(before));
    return before;
  }

  /**
   * Changes are made one after the other, each with its note in the same transaction.
   * @param also what else is written in it
   * @throws InvalidRequest where there is no room for it, TransactionRefused where what is written too does not hold
   */
  async change(
    edit: (changes: OfferChanges) => OfferChanges,
    { action, offer, by }: ChangeNote,
    now: Date,
    also: NamedItems = {},
  ): Promise<OfferChanges> {
    const at = now.toISOString();
    const attempt = async () => {
      const before = await this.#find(true);
      const after = edit(before?.changes ?? NO_CHANGES);
      assertFits(after);
      const version = (before?.version ?? 0) + 1;
      const current = this.#replacing(before, { version, ...after });
      const id = `change#${at}#${version}`;
      const row = after.rows.find((each) => each.id === offer) ?? null;
      const note = { Put: { TableName: this.#table, Item: { id, at, action, endpoint: offer, by, row } } };
      try {
        await transact(this.#client, { ...also, current, note });
        return after;
      } catch (error) {
        if (refusedBy(error, ...Object.keys(also))) throw error;
        if (refusedBy(error, 'current')) return undefined;
        throw error;
      }
    };
    return retryOnConflict(
      ATTEMPTS,
      attempt,
      () => new Error(`the endpoints changed ${ATTEMPTS} times during one update`),
    );
  }

  #replacing(before: { readonly version: number } | undefined, row: OfferChanges & { version: number }) {
    const unchanged =
      before === undefined
        ? { ConditionExpression: 'attribute_not_exists(id)' }
        : {
            ConditionExpression: '#version = :read',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':read': before.version },
          };
    return { Put: { TableName: this.#table, Item: { id: CURRENT, ...row }, ...unchanged } };
  }

  async #find(isConsistent: boolean) {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id: CURRENT }, ConsistentRead: isConsistent }),
    );
    if (Item === undefined) return undefined;
    const { version, ...changes } = v.parse(rowSchema, Item);
    return { version, changes };
  }
}

function assertFits(changes: OfferChanges): void {
  if (Buffer.byteLength(JSON.stringify(changes)) <= MOST_BYTES) return;
  throw new InvalidRequest(
    `The endpoints that were created or changed on this stage must have at most ${MOST_BYTES} bytes of JSON in total; ` +
      'delete some, or undo changes with npx genway admin endpoints --restore ID --stage STAGE',
  );
}
