import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem } from '../../aws/dynamo-writes.ts';
import { insist } from '../../aws/retry.ts';
import { workersOfWorkspace } from '../../fair-shares.ts';
import { putOffDelay } from '../jobs/cadence.ts';
import type { MovingJob, MovingPorts } from './moving-job.ts';

/** A part of what all have in common, and how many may occupy it at once. */
export interface Share {
  readonly id: string;
  readonly size: number;
}

/** Who occupies a share, and until when it does so at the latest, in milliseconds since the epoch. */
export interface Occupant {
  readonly jobId: string;
  readonly lapsesAt: number;
}

const shareSchema = v.object({ occupants: v.set(v.string()) });

const KEPT_SECONDS = 24 * 3600;

/**
 * The shares of the stage's workers: a row for each, with the set of those who occupy it. Each name in the set begins
 * with its expiry, so that whoever finds no room can take that of workers that crashed.
 */
export class ShareStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Occupies all of these shares, or none. @returns whether all had room */
  async enter(shares: readonly Share[], occupant: Occupant, now: Date): Promise<boolean> {
    for (const [index, share] of shares.entries()) {
      if (await this.#occupy(share, occupant, now)) continue;
      await this.leave(shares.slice(0, index), occupant);
      return false;
    }
    return true;
  }

  async leave(shares: readonly Share[], occupant: Occupant): Promise<void> {
    await Promise.all(shares.map(({ id }) => this.#remove(id, [nameOf(occupant)])));
  }

  async #occupy(share: Share, occupant: Occupant, now: Date): Promise<boolean> {
    const others = await this.#add(share, occupant);
    if (others === undefined) return true;
    const lapsed = [...others].filter((other) => Number.parseInt(other, 10) < now.getTime());
    if (lapsed.length === 0) return false;
    await this.#remove(share.id, lapsed);
    return (await this.#add(share, occupant)) === undefined;
  }

  /** Undefined, or which others occupy the share where it has no room. */
  async #add({ id, size }: Share, occupant: Occupant): Promise<ReadonlySet<string> | undefined> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: 'SET expires_at = :expires_at ADD occupants :occupant',
          ConditionExpression: 'attribute_not_exists(occupants) OR size(occupants) < :size',
          ExpressionAttributeValues: {
            ':occupant': new Set([nameOf(occupant)]),
            ':size': size,
            ':expires_at': Math.floor(occupant.lapsesAt / 1000) + KEPT_SECONDS,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      const occupants = oldItem(error, shareSchema)?.occupants ?? new Set();
      // A write whose answer was lost is repeated by the client, and finds its own name.
      return occupants.has(nameOf(occupant)) ? undefined : occupants;
    }
  }

  /** DynamoDB drops a set without members, so a row is never larger than what is under way. */
  async #remove(id: string, names: readonly string[]): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'DELETE occupants :names',
        ExpressionAttributeValues: { ':names': new Set(names) },
      }),
    );
  }
}

const nameOf = ({ jobId, lapsesAt }: Occupant): string => `${lapsesAt} ${jobId}`;

export interface SubmitPorts extends MovingPorts {
  readonly shares: Pick<ShareStore, 'enter' | 'leave'>;
  /** How many submitters work at once. */
  readonly submitters: number;
}

/** As long as a submitter lives. */
const LAPSE_MILLISECONDS = 60_000;

/**
 * Does a step with a job that its provider may not have yet, if the job's workspace has a submitter left. Otherwise the
 * job waits: a submit cannot be ended early, because nobody would know whether it was accepted.
 */
export async function withinSubmitShare(
  job: MovingJob<SubmitPorts>,
  step: () => Promise<void>,
): Promise<void> {
  // At its deadline a job ends, or is asked about once more: it waits for nobody.
  if (job.isOverdue) return step();
  const { row, ports } = job;
  const { shares, submitters, pause } = ports;
  const now = ports.now();
  const mine = [{ id: `submits ${row.workspace_id}`, size: workersOfWorkspace(submitters) }];
  const occupant = { jobId: row.id, lapsesAt: now.getTime() + LAPSE_MILLISECONDS };
  if (!(await insist(() => shares.enter(mine, occupant, now), pause))) return waitForRoom(job, now);
  try {
    await step();
  } finally {
    await shares.leave(mine, occupant);
  }
}

const LONGEST_WAIT_SECONDS = 20;

/** The longer it has waited, the longer it waits: the many jobs of a long queue do not ask all the time. */
function waitForRoom(job: MovingJob, now: Date): Promise<void> {
  const waited = (now.getTime() - Date.parse(job.row.created_at)) / 1000;
  const delaySeconds = putOffDelay(Math.min(LONGEST_WAIT_SECONDS, waited / 4), job.ports.random);
  return job.apply({ type: 'put_off', delaySeconds, waitingFor: 'provider_busy' });
}
