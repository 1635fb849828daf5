import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem, updateWhere } from '../../aws/dynamo-writes.ts';

/** How many requests one workspace may have under way: in all, and to one host. */
export interface LaneLimits {
  readonly workspace: number;
  readonly host: number;
}

/** A receiver may not like more at once. */
const MOST_TO_A_HOST = 10;

/**
 * A receiver that hangs occupies a deliverer for as long as it is allowed to. So one workspace has a third of them at
 * most, because two may have such receivers at once, and each of its hosts half of that.
 * @param deliverers how many work at once
 */
export function laneLimits(deliverers: number): LaneLimits {
  const workspace = Math.max(1, Math.floor(deliverers / 3));
  return { workspace, host: Math.min(MOST_TO_A_HOST, Math.ceil(workspace / 2)) };
}

/** Whose request it is, and where it goes. */
interface Lane {
  readonly workspaceId: string;
  readonly host: string;
}

const holdersSchema = v.optional(v.set(v.string()), new Set<string>());

const laneSchema = v.object({ holders: holdersSchema });

const KEPT_SECONDS = 24 * 3600;

/**
 * The lanes of a workspace: one row with the set of all who hold a place, and a set for each host. A workspace whose
 * receivers hang fills only its own lanes, even if others have receivers on the same host. Each holder's name is its
 * expiry, so that whoever finds no free place can reuse those of holders that crashed.
 */
export class LaneStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #limits: LaneLimits;

  constructor(client: DynamoDBDocumentClient, table: string, limits: LaneLimits) {
    this.#client = client;
    this.#table = table;
    this.#limits = limits;
  }

  /** The holder of a place until `lapsesAt` (milliseconds since the epoch), or undefined when all are taken. */
  async enter(
    lane: Lane,
    { now, lapsesAt, token }: { readonly now: Date; readonly lapsesAt: number; readonly token: string },
  ): Promise<string | undefined> {
    const holder = `${lapsesAt} ${token} ${lane.host}`;
    if (await this.#add(lane, holder, lapsesAt)) return holder;
    const { ofWorkspace, ofHost } = await this.#holders(lane);
    const lapsed = [...ofWorkspace].filter((other) => Number.parseInt(other, 10) < now.getTime());
    if (lapsed.length > 0) await this.#remove(lane.workspaceId, lapsed);
    // Meanwhile another one may have removed what had expired, or have left.
    else if (ofWorkspace.size >= this.#limits.workspace || ofHost.size >= this.#limits.host) return undefined;
    return (await this.#add(lane, holder, lapsesAt)) ? holder : undefined;
  }

  async leave({ workspaceId }: Lane, holder: string): Promise<void> {
    await this.#remove(workspaceId, [holder]);
  }

  async #add({ workspaceId, host }: Lane, holder: string, lapsesAt: number): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: keyOf(workspaceId),
          UpdateExpression:
            'SET expires_at = :expires_at, workspace_id = :workspace ADD holders :holder, #host :holder',
          ConditionExpression:
            '(attribute_not_exists(holders) OR size(holders) < :of_workspace)' +
            ' AND (attribute_not_exists(#host) OR size(#host) < :of_host)',
          ExpressionAttributeNames: { '#host': attributeOf(host) },
          ExpressionAttributeValues: {
            ':holder': new Set([holder]),
            ':workspace': workspaceId,
            ':of_workspace': this.#limits.workspace,
            ':of_host': this.#limits.host,
            ':expires_at': Math.floor(lapsesAt / 1000) + KEPT_SECONDS,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      // The client repeats a write whose answer was lost, and that write may have taken the last place.
      return oldItem(error, laneSchema)?.holders.has(holder) ?? false;
    }
  }

  async #holders({ workspaceId, host }: Lane) {
    const { Item = {} } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(workspaceId), ConsistentRead: true }),
    );
    return {
      ofWorkspace: v.parse(holdersSchema, Item.holders),
      ofHost: v.parse(holdersSchema, Item[attributeOf(host)]),
    };
  }

  /**
   * DynamoDB drops a set without members, so the row is never larger than what is under way. A row that was purged with
   * its workspace does not come back.
   */
  async #remove(workspaceId: string, holders: readonly string[]): Promise<void> {
    const byHost = [...Map.groupBy(holders, (holder) => holder.split(' ')[2] ?? '')];
    await updateWhere(this.#client, {
      TableName: this.#table,
      Key: keyOf(workspaceId),
      UpdateExpression: `DELETE holders :all, ${byHost.map((_, i) => `#host${i} :host${i}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(id)',
      ExpressionAttributeNames: Object.fromEntries(
        byHost.map(([host], i) => [`#host${i}`, attributeOf(host)]),
      ),
      ExpressionAttributeValues: {
        ':all': new Set(holders),
        ...Object.fromEntries(byHost.map(([, ofHost], i) => [`:host${i}`, new Set(ofHost)])),
      },
    });
  }
}

const keyOf = (workspaceId: string) => ({ id: `LANE#${workspaceId}` });
const attributeOf = (host: string) => `host#${host}`;
