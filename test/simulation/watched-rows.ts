import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { type Account, accountSchema, CREDITS } from '../../functions/money/account.ts';
import { isLease, lentTo, sum, wholeCredits } from '../../functions/money/lease.ts';
import { INTERVALS } from '../../functions/money/period.ts';
import { type Job, type JobStatus, jobSchema } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { AwsWorld } from '../engines/aws-world.ts';
import type { DeployedStage } from '../engines/deployed/deployed-stage.ts';
import type { Item } from '../engines/dynamodb/value.ts';
import type { Providers } from './providers.ts';

const RANK: Readonly<Record<JobStatus, number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
  expired: 2,
};

const eventSchema = v.object({ id: v.string(), type: v.string(), status: v.string(), attempts: v.number() });
type EventRow = v.InferOutput<typeof eventSchema>;

export type Violate = (invariant: string, what: string) => void;

/** The rows as they are after every single write, and what must be true of them each time. */
export class WatchedRows {
  /** Also those that have been deleted since. */
  readonly jobs = new Map<string, Job>();
  readonly events = new Map<string, EventRow>();
  readonly accounts = new Map<string, Account>();
  readonly #world: AwsWorld;
  readonly #bucket: string;
  readonly #providers: Providers;
  readonly #violate: Violate;
  #changed = false;

  constructor(world: AwsWorld, stage: DeployedStage, providers: Providers, violate: Violate) {
    this.#world = world;
    this.#bucket = stage.name('Videos-Results');
    this.#providers = providers;
    this.#violate = violate;
    this.#follow(stage.name('Videos-Jobs'), (id, row) => this.#onJob(id, row));
    this.#follow(stage.name('Accounts'), (id, row) => this.#onAccount(id, row));
    this.#follow(stage.name('Webhooks-Events'), (id, row) => this.#onEvent(id, row));
    // A transaction writes all its rows before anybody calls again.
    const note = world.journal.note.bind(world.journal);
    world.journal.note = (call) => {
      this.check();
      return note(call);
    };
  }

  #follow(name: string, onWrite: (id: string, row: Record<string, unknown> | undefined) => void): void {
    const table = this.#world.dynamodb.tables.get(name);
    const write = table.write.bind(table);
    table.write = (key: Item, after: Item | undefined) => {
      write(key, after);
      const [id] = Object.values(plain(key));
      this.#changed = true;
      onWrite(String(id), after === undefined ? undefined : plain(after));
    };
  }

  #onJob(id: string, row: Record<string, unknown> | undefined): void {
    if (id.endsWith('#request')) return;
    if (row === undefined) return;
    const job = v.parse(jobSchema, row);
    const before = this.jobs.get(id);
    this.jobs.set(id, job);
    if (before !== undefined) this.#expectForward(before, job);
    this.#expectSound(job);
  }

  #expectForward(before: Job, job: Job): void {
    if (before.phase === 'settled' && !isDeepStrictEqual(before, job))
      this.#violate('I3', `${job.id} has changed after its end`);
    if (RANK[job.status] < RANK[before.status])
      this.#violate('I3', `${job.id} goes from ${before.status} to ${job.status}`);
    if (job.seq < before.seq) this.#violate('I3', `${job.id} goes back to link ${job.seq}`);
    if (!isDeepStrictEqual(job.history.slice(0, before.history.length), before.history))
      this.#violate('I3', `${job.id} has another past`);
  }

  #expectSound(job: Job): void {
    const { id, status, phase, cost_micros: cost, estimate_micros: estimate, outputs } = job;
    if ((RANK[status] === 2) !== (phase === 'settled'))
      this.#violate('I3', `${id} is ${status} and ${phase}`);
    if ((status === 'completed') !== (cost !== undefined))
      this.#violate('I4', `${id} is ${status} and costs ${cost}`);
    if ((cost ?? 0) > estimate) this.#violate('I4', `${id} costs ${cost} and held ${estimate}`);
    if ((status === 'completed') !== (outputs !== undefined))
      this.#violate('I6', `${id} is ${status} and has ${outputs?.length} videos`);
    const bucket = this.#world.s3.bucket(this.#bucket);
    for (const { key, size_bytes: size } of outputs ?? []) {
      if (bucket?.find(key)?.body.length !== size) this.#violate('I6', `${id} has a video that is not there`);
    }
    const works = this.#providers.worksOf(id);
    if (works.length > 1) this.#violate('I2', `${id} is done ${works.length} times`);
    if (status === 'completed' && works.length === 0) this.#violate('I2', `${id} was done by nobody`);
    if (status === 'cancelled' && works.some(({ cancelled }) => !cancelled))
      this.#violate('I4', `${id} is cancelled, and its provider goes on with it`);
  }

  #onAccount(id: string, row: Record<string, unknown> | undefined): void {
    if (row === undefined || !/^(key#|workspace#|lease#|credits$)/.test(id)) return;
    const account = v.parse(accountSchema, row);
    const before = this.accounts.get(id);
    this.accounts.set(id, account);
    for (const interval of INTERVALS) {
      const [was, is] = [before?.[interval], account[interval]];
      const limit = account.limits[interval]?.micros ?? Number.POSITIVE_INFINITY;
      const earlier = was?.period === is?.period ? (was?.committed ?? 0) : 0;
      if (is !== undefined && is.committed > Math.max(limit, earlier))
        this.#violate('I4', `${id} commits ${is.committed} of ${limit} (${interval})`);
    }
  }

  #onEvent(id: string, row: Record<string, unknown> | undefined): void {
    if (row === undefined) return;
    this.events.set(id, v.parse(eventSchema, row));
  }

  /** What is true of several rows together. */
  check(): void {
    if (!this.#changed) return;
    this.#changed = false;
    for (const job of this.jobs.values()) this.#checkEvent(job);
    for (const account of this.accounts.values()) {
      this.#checkHeld(account);
      if (account.account !== CREDITS && !isLease(account)) this.#checkCounts(account, [account.account]);
    }
    this.#checkCredits();
  }

  #checkEvent({ id, phase, status }: Job): void {
    const event = this.events.get(eventIdOf(id));
    const told = phase === 'settled' ? `video.generation.${status}` : undefined;
    if (event?.type !== told) this.#violate('I3', `${id} is ${status} and its event is ${event?.type}`);
  }

  /** What jobs hold, or have cost, of any of these accounts. */
  #heldOf(accounts: readonly string[]) {
    return [...this.jobs.values()].flatMap(({ holds, phase, cost_micros: cost = 0 }) =>
      holds
        .filter((hold) => accounts.includes(hold.account))
        .map((hold) => ({ ...hold, isOpen: phase !== 'settled', cost })),
    );
  }

  #checkHeld({ account, reserved, open_jobs }: Account): void {
    const open = this.#heldOf([account]).filter(({ isOpen }) => isOpen);
    const held = sum(open, ({ micros }) => micros);
    if (reserved !== held || open_jobs !== open.length) {
      this.#violate(
        'I4',
        `${account} has reserved ${reserved} for ${open_jobs}, not ${held} for ${open.length}`,
      );
    }
  }

  #checkCounts(account: Account, holders: readonly string[]): void {
    const held = this.#heldOf(holders);
    for (const interval of INTERVALS) {
      const count = account[interval];
      if (count === undefined) continue;
      const counted = held.filter(({ periods }) => periods[interval] === count.period);
      const spent = sum(counted, ({ isOpen, cost }) => (isOpen ? 0 : cost));
      const committed = spent + sum(counted, ({ isOpen, micros }) => (isOpen ? micros : 0));
      if (count.spent !== spent || count.committed !== committed) {
        this.#violate(
          'I4',
          `${account.account} counts ${count.committed}, ${count.spent} spent (${interval}), not ${committed}, ${spent} spent`,
        );
      }
    }
  }

  /** Credits are lent in blocks, and what an ended lease has spent moves to the pool: only the whole adds up. */
  #checkCredits(): void {
    const pool = this.accounts.get(CREDITS);
    if (pool === undefined) return;
    const leases = [...this.accounts.values()].filter(isLease);
    const lent = sum(leases, lentTo);
    if (pool.leased !== lent)
      this.#violate('I4', `credits have lent ${pool.leased}, and leases have ${lent}`);
    const whole = wholeCredits({ pool, leases }, this.#world.clock.now());
    this.#checkCounts(whole, [CREDITS, ...leases.map(({ account }) => account)]);
  }
}

const plain = (item: Item): Record<string, unknown> => unmarshall(Object(item));
