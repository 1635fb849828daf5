import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem, removeAll } from '../../aws/dynamo-writes.ts';
import { defined } from '../../defined.ts';
import { HOSTS_BY_WORKSPACE } from '../../tables.ts';

/** A host's failures in a row with one workspace's events, since it last took one. */
export interface Streak {
  /** The time of the first failure, in milliseconds since the epoch. */
  readonly failingSince: number;
  readonly failures: number;
  /** The times of the latest failures, oldest first: ten at least, where there were so many. */
  readonly latest: readonly number[];
  /** When it was last tried on trial; only once its circuit was open. */
  readonly triedAt?: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const CIRCUIT_FAILURES = 10;
const CIRCUIT_WINDOW = 10 * MINUTE;

const DEAD_FAILURES = 20;
const DEAD_AFTER = 5 * DAY;

/** From one trial to the next: twice as long as a receiver may take. */
const TRIAL_MILLISECONDS = 30_000;

/** Ten failures in a row within the last ten minutes. */
export function hasJustFailed({ latest }: Streak, now: Date): boolean {
  const tenth = latest.at(-CIRCUIT_FAILURES);
  return tenth !== undefined && now.getTime() - tenth <= CIRCUIT_WINDOW;
}

/** Once it has been tried on trial, a circuit stays open until the host takes an event, which ends its streak. */
export const isCircuitOpen = (streak: Streak, now: Date): boolean =>
  streak.triedAt !== undefined || hasJustFailed(streak, now);

/** Whether the last trial was long enough ago, as far as a read may know. */
export const isTrialDue = ({ triedAt }: Streak, now: Date): boolean =>
  triedAt === undefined || now.getTime() - triedAt >= TRIAL_MILLISECONDS;

/** Five days without a success, and with many attempts. */
export function isDead({ failingSince, failures }: Streak, now: Date): boolean {
  return failures >= DEAD_FAILURES && now.getTime() - failingSince >= DEAD_AFTER;
}

const streakSchema = v.pipe(
  v.object({
    failing_since: v.number(),
    failures: v.number(),
    latest: v.array(v.number()),
    tried_at: v.exactOptional(v.number()),
  }),
  v.transform(
    ({ failing_since: failingSince, tried_at: triedAt, ...rest }): Streak => ({
      failingSince,
      ...rest,
      ...defined({ triedAt }),
    }),
  ),
);

const triedBySchema = v.object({ tried_by: v.optional(v.string()) });

/** Longer than it takes until a host counts as dead. */
const KEPT_SECONDS = 30 * 24 * 3600;

/** Failures in a row, for each workspace and host. A host that took its last event has no row. */
export class StreakStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(workspaceId: string, host: string): Promise<Streak | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(workspaceId, host) }),
    );
    return Item === undefined ? undefined : v.parse(streakSchema, Item);
  }

  async end(workspaceId: string, host: string): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: keyOf(workspaceId, host) }));
  }

  async extend(workspaceId: string, host: string, now: Date): Promise<Streak> {
    const at = now.getTime();
    const { Attributes } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: keyOf(workspaceId, host),
        UpdateExpression:
          'SET failing_since = if_not_exists(failing_since, :at), failures = if_not_exists(failures, :zero) + :one,' +
          ' latest = list_append(if_not_exists(latest, :none), :latest), expires_at = :expires_at,' +
          ' workspace_id = :workspace',
        ExpressionAttributeValues: {
          ':workspace': workspaceId,
          ':at': at,
          ':zero': 0,
          ':one': 1,
          ':none': [],
          ':latest': [at],
          ':expires_at': Math.floor(at / 1000) + KEPT_SECONDS,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    const streak = v.parse(streakSchema, Attributes);
    if (streak.latest.length > CIRCUIT_FAILURES) await this.#dropOldest(workspaceId, host);
    return streak;
  }

  /**
   * Takes the one request that a host with an open circuit gets in half a minute.
   * @param token a new one each time: when an answer is lost, the repeated write recognises its own work by it
   * @returns false when another event has it
   */
  async takeTrial(workspaceId: string, host: string, now: Date, token: string): Promise<boolean> {
    const at = now.getTime();
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: keyOf(workspaceId, host),
          UpdateExpression: 'SET tried_at = :at, tried_by = :token',
          ConditionExpression:
            'attribute_exists(id) AND (attribute_not_exists(tried_at) OR tried_at <= :before)',
          ExpressionAttributeValues: { ':at': at, ':before': at - TRIAL_MILLISECONDS, ':token': token },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      const streak = oldItem(error, triedBySchema);
      // Where there is no streak any more, the host has taken an event meanwhile.
      return streak === undefined || streak.tried_by === token;
    }
  }

  /** Drops one for each that was added; the condition keeps two workers from dropping more. */
  async #dropOldest(workspaceId: string, host: string): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: keyOf(workspaceId, host),
          UpdateExpression: 'REMOVE latest[0]',
          ConditionExpression: 'size(latest) > :kept',
          ExpressionAttributeValues: { ':kept': CIRCUIT_FAILURES },
        }),
      );
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }
}

const keyOf = (workspaceId: string, host: string) => ({ id: `STREAK#${workspaceId}#${host}` });

/** The rows that name hosts to which workspaces send: their lanes, and their failures. */
export class KnownHosts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Removes the rows of a deleted workspace. Those of older versions are not found; they expire after 30 days at most. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    return removeAll(this.#client, {
      TableName: this.#table,
      IndexName: HOSTS_BY_WORKSPACE,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'id',
    });
  }
}
