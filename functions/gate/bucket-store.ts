import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import QuickLRU from 'quick-lru';
import * as v from 'valibot';
import { retryOnConflict } from '../aws/retry.ts';

/**
 * A token bucket, kept as one number: the moment at which it will be full again. It holds a minute's tokens and fills
 * evenly. For a full bucket it does not matter since when it is full.
 *
 * Moments are in microseconds since the epoch, so that one token's share of a minute is a whole number.
 */
export interface Rate {
  readonly perMinute: number;
}

const MINUTE = 60_000_000;

export const microseconds = (at: Date): number => at.getTime() * 1000;

/** How long one token takes to fill in. Rounded up: a bucket may give slightly less than its rate, never more. */
export const tokenTime = ({ perMinute }: Rate): number => Math.ceil(MINUTE / perMinute);

/** A bucket that would be full later than this has no whole token. */
export const latestFull = (rate: Rate, now: number): number => now + (rate.perMinute - 1) * tokenTime(rate);

/** A bucket fills within two minutes; the rest is for clocks that differ. */
const PLAUSIBLE = 5 * MINUTE;

/** A bucket that is full only later than this was written by a wrong clock. */
const latestPlausible = (now: number): number => now + PLAUSIBLE;

/** Tokens left in a bucket that is full at `fullAt`. */
export function tokensLeft(rate: Rate, fullAt: number, now: number): number {
  const missing = Math.ceil(Math.max(0, fullAt - now) / tokenTime(rate));
  return Math.max(0, rate.perMinute - missing);
}

export type Taking =
  | { readonly taken: true; readonly tokensLeft: number; readonly fullAt: number }
  | { readonly taken: false; readonly nextTokenAt: number; readonly fullAt: number };

/** Another attempt is needed only when other requests changed the bucket from full to not full or back. */
const ATTEMPTS = 5;
const REMEMBERED = 10_000;

const writtenItemSchema = v.object({ full_at: v.number() });

/** The document client does not unmarshal the items of exceptions. */
const refusedItemSchema = v.object({
  full_at: v.union([
    v.number(),
    v.pipe(
      v.object({ N: v.string() }),
      v.transform(({ N }) => Number(N)),
    ),
  ]),
});

/**
 * Buckets in one table, exact over any number of processes. One conditional write takes a token, and its form depends
 * on whether the bucket is full. The store guesses that; when DynamoDB refuses the guess, it reads the real value from
 * the refusal and tries again. A value that a clock far ahead has written is replaced by a full bucket, because its key
 * would be locked out until then.
 */
export class BucketStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** When each bucket was last seen to be full. The real moment is never earlier, because it only grows. */
  readonly #seen = new QuickLRU<string, number>({ maxSize: REMEMBERED });

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  take(id: string, rate: Rate, at: Date): Promise<Taking> {
    const attempt = () => this.#tryToTake(id, rate, microseconds(at));
    const exhausted = () =>
      new Error(`the bucket ${id} changed ${ATTEMPTS} times while a token was taken from it`);
    return retryOnConflict(ATTEMPTS, attempt, exhausted);
  }

  /** Undefined when the bucket is not as it was last seen. */
  async #tryToTake(id: string, rate: Rate, now: number): Promise<Taking | undefined> {
    const remembered = this.#seen.get(id) ?? 0;
    const seen = remembered > latestPlausible(now) ? 0 : remembered;
    const latest = latestFull(rate, now);
    if (seen > latest) return { taken: false, nextTokenAt: now + seen - latest, fullAt: seen };
    const { taken, fullAt } = await this.#write(id, seen > now ? takeFrom(rate, now) : takeFirst(rate, now));
    this.#seen.set(id, fullAt);
    return taken ? { taken, tokensLeft: tokensLeft(rate, fullAt, now), fullAt } : undefined;
  }

  async #write(id: string, update: BucketUpdate): Promise<{ taken: boolean; fullAt: number }> {
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          ...update,
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { taken: true, fullAt: v.parse(writtenItemSchema, Attributes).full_at };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The refusal has no item: the bucket's row has expired since it was seen, so the bucket is full.
      const fullAt = error.Item === undefined ? 0 : v.parse(refusedItemSchema, error.Item).full_at;
      return { taken: false, fullAt };
    }
  }
}

type BucketUpdate = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
>;

/** From a bucket that is not full. */
function takeFrom(rate: Rate, now: number): BucketUpdate {
  return {
    UpdateExpression: 'SET full_at = full_at + :token, expires_at = :expiry',
    ConditionExpression: 'full_at > :now AND full_at <= :latest',
    ExpressionAttributeValues: {
      ':token': tokenTime(rate),
      ':now': now,
      ':latest': latestFull(rate, now),
      ':expiry': expiry(now),
    },
  };
}

/** From a bucket that is full. */
function takeFirst(rate: Rate, now: number): BucketUpdate {
  return {
    UpdateExpression: 'SET full_at = :full_at, expires_at = :expiry',
    ConditionExpression: 'attribute_not_exists(full_at) OR full_at <= :now OR full_at > :plausible',
    ExpressionAttributeValues: {
      ':full_at': now + tokenTime(rate),
      ':now': now,
      ':plausible': latestPlausible(now),
      ':expiry': expiry(now),
    },
  };
}

/** In seconds; after two minutes without a request every bucket is full. */
const expiry = (now: number): number => Math.ceil(now / 1_000_000) + 120;
