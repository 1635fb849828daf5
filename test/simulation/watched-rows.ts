import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Account, accountSchema, CREDITS } from '../../functions/money/account.ts';
import { isLease, lentTo, sum, wholeCredits } from '../../functions/money/lease.ts';
import { INTERVALS } from '../../functions/money/period.ts';
import { type Job, type JobStatus, jobSchema } from '../../functions/videos/jobs/job.ts';
import { MAX_ATTEMPTS } from '../../functions/webhooks/delivery/judge-answer.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { DeployedStage } from '../deployed/deployed-stage.ts';
import type { AwsWorld } from '../engines/index.ts';
import { beforeEachCall, type DueRows, followTable, type Row } from './followed-tables.ts';
import { HeldSums, Reports } from './job-sums.ts';
import { isWithdrawn, type Providers, type Work } from './providers.ts';
import type { WatchedWorkspaces } from './watched-workspaces.ts';
import type { Weather } from './weather.ts';

/** How far a job is. Its status never has a lower rank than before. */
export const RANK: Readonly<Record<JobStatus, number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
  expired: 2,
};

const eventSchema = v.object({
  id: v.string(),
  type: v.string(),
  status: v.string(),
  attempts: v.number(),
  chain_start: v.number(),
  history: v.array(v.object({ outcome: v.string() })),
  quarantine: v.optional(v.unknown()),
});
type EventRow = v.InferOutput<typeof eventSchema>;

/**
 * Reports a violation of one of these invariants:
 *
 * - I1: An accepted job exists, and it ends in time.
 * - I2: A provider does a completed job exactly once. It does no work without a job. What it has stopped at our wish is
 *   cancelled; what it has made is completed, or the job says why not.
 * - I3: A job only moves forward, and never changes after its end.
 * - I4: The money adds up and stays within the limits. Only completed jobs cost something, and cancelled ones what their
 *   provider charges. A closed key begins nothing more.
 * - I5: The end of a job is reported after it is true, with the same body each time, signed for its workspace alone,
 *   with every secret that was shown until its time. The report is delivered, refused by its receiver, or given up after
 *   all attempts.
 * - I6: A job has videos if it is completed, and only then. They are stored.
 * - I7: A caller never sees an earlier state again, nor a deleted job.
 * - I8: Every request ends with a status and a body that its route may have.
 * - I9: Requests with one idempotency key create one job.
 * - I10: No tenant sees another tenant's jobs.
 * - I11: A function only throws because of a fault.
 * - I12: No video is deleted by a request to cancel it.
 * - I13: A file that is seen has its bytes, and no bytes are without a row. A deleted or expired file is seen by nobody
 *   again, and its bytes go. A workspace's count of bytes is that of its files.
 * - I14: A workspace is deleted only while nobody can use it, and nothing begins in it afterwards. An hour later nothing is
 *   left of it but what reports show. Its count of live keys is right.
 * - I15: Work runs on the account that its job names, with a key that is stored there, for it, and not for too long.
 * - I16: A job keeps to the guardrail of its workspace.
 * - I17: A tenant whose provider and receiver are well waits 30 s longer than alone at most for a submitter, a poller, a
 *   copier or a deliverer, while those of a tenant with many jobs are slow.
 */
export type Violate = (invariant: string, what: string) => void;

const HOUR = 3_600_000;

/** A key is read before the request is sent that spends its money. */
const MOMENT = 10_000;

/** Why a job may end without the video that its provider has made. */
const UNCONFIRMED = /did not confirm/;
const BROKEN = /not a whole MP4/;
/** A job at its provider may lose the key with which it is asked about. */
export const KEYLESS = /has no key for this provider/;
const LINK_OVER = /download of its result with 403/;

/** The outcome for a receiver that is gone, or that is busy. */
const REFUSED = '4xx';

/** Follows the rows after every write and checks what must always be true. */
export class WatchedRows {
  /** All jobs, including deleted ones, and each as it was before its workspace was purged. */
  readonly jobs = new Map<string, Job>();
  readonly events = new Map<string, EventRow>();
  readonly accounts = new Map<string, Account>();
  /** Hear of each change of a job. */
  readonly judges: ((job: Job, before: Job | undefined) => void)[] = [];
  readonly #world: AwsWorld;
  readonly #bucket: string;
  readonly #providers: Providers;
  readonly #weather: Weather;
  readonly #due: DueRows;
  readonly #workspaces: WatchedWorkspaces;
  readonly #violate: Violate;
  /** By the hashes of keys: since when they certainly cannot spend anything. */
  readonly closedKeys = new Map<string, number>();
  readonly #held = new HeldSums();
  readonly #reports = new Reports();
  /** The changes since the last check. */
  readonly #changedJobs = new Set<string>();
  readonly #changedAccounts = new Set<string>();

  constructor(
    world: AwsWorld,
    stage: DeployedStage,
    around: {
      readonly providers: Providers;
      readonly weather: Weather;
      readonly due: DueRows;
      readonly workspaces: WatchedWorkspaces;
    },
    violate: Violate,
  ) {
    this.#world = world;
    this.#bucket = stage.name('Videos-Results');
    this.#providers = around.providers;
    this.#weather = around.weather;
    this.#due = around.due;
    this.#workspaces = around.workspaces;
    this.#violate = violate;
    this.#follow(stage.name('Videos-Jobs'), (id, row) => this.#onJob(id, row));
    this.#follow(stage.name('Accounts'), (id, row) => this.#onAccount(id, row));
    this.#follow(stage.name('Webhooks-Events'), (id, row) => this.#onEvent(id, row));
    beforeEachCall(world, () => this.check());
  }

  #follow(name: string, onWrite: (id: string, row: Row | undefined) => void): void {
    followTable(this.#world, name, (id, row) => {
      this.#due.follow(name, id, row);
      onWrite(id, row);
    });
  }

  #onJob(id: string, row: Row | undefined): void {
    if (id.endsWith('#request')) return;
    if (row === undefined) return;
    const job = v.parse(jobSchema, row);
    const before = this.jobs.get(id);
    if (job.purged_at !== undefined) {
      this.#workspaces.sawStripped(before, job);
      return;
    }
    this.#workspaces.sawJob(before, job);
    this.jobs.set(id, job);
    this.#changedJobs.add(id);
    for (const account of this.#held.replace(before, job)) this.#changedAccounts.add(account);
    this.#reports.replaceJob(before, job);
    if (before === undefined && this.closedKeys.has(job.key_hash) && !this.#weather.hadWrongClocks)
      this.#violate('I4', `${id} begins on a key that is closed`);
    if (job.phase === 'settled' && before?.phase !== 'settled') this.#expectToldEnd(job);
    if (before !== undefined) this.#expectForward(before, job);
    this.#expectSound(job);
    for (const judge of this.judges) judge(job, before);
  }

  #expectForward(before: Job, job: Job): void {
    if (before.phase === 'settled' && !isDeepStrictEqual(before, job))
      this.#violate('I3', `${job.id} has changed after its end`);
    if (RANK[job.status] < RANK[before.status])
      this.#violate('I3', `${job.id} goes from ${before.status} to ${job.status}`);
    if (job.seq < before.seq) this.#violate('I3', `${job.id} goes back to link ${job.seq}`);
    if (!isDeepStrictEqual(job.history.slice(0, before.history.length), before.history))
      this.#violate('I3', `${job.id} has a different history`);
  }

  #expectSound(job: Job): void {
    const { id, status, phase, cost_micros: cost, estimate_micros: estimate, outputs } = job;
    if ((RANK[status] === 2) !== (phase === 'settled'))
      this.#violate('I3', `${id} is ${status} and ${phase}`);
    if ((cost ?? 0) > estimate) this.#violate('I4', `${id} costs ${cost} and held ${estimate}`);
    if ((status === 'completed') !== (outputs !== undefined))
      this.#violate('I6', `${id} is ${status} and has ${outputs?.length} videos`);
    const bucket = this.#world.s3.bucket(this.#bucket);
    for (const { key, size_bytes: size } of outputs ?? []) {
      if (bucket?.objects.get(key)?.body.length !== size)
        this.#violate('I6', `${id} has a video that is not stored`);
    }
    this.#expectSoundWork(job);
  }

  #expectSoundWork({ id, key_hash, status, cost_micros: cost }: Job): void {
    const works = this.#providers.worksOf(id);
    const closedAt = this.closedKeys.get(key_hash) ?? Number.POSITIVE_INFINITY;
    if (works.some(({ acceptedAt }) => acceptedAt > closedAt + MOMENT) && !this.#weather.hadWrongClocks)
      this.#violate('I4', `a provider begins ${id} on a key that is closed`);
    const isCharged = status === 'cancelled' && works.some(({ costMicros }) => costMicros !== undefined);
    if (cost === undefined ? status === 'completed' : status !== 'completed' && !isCharged)
      this.#violate('I4', `${id} is ${status} and costs ${cost}`);
    if (works.length > 1) this.#violate('I2', `${id} was done ${works.length} times`);
    if (status === 'completed' && works.length === 0) this.#violate('I2', `${id} was done by nobody`);
    if (status === 'cancelled' && works.some((work) => !isWithdrawn(work, this.#now())))
      this.#violate('I4', `${id} is cancelled, but its provider goes on`);
  }

  #now = () => this.#world.clock.now().getTime();

  /** What its provider has done for a job must agree with its end, unless it was too late to find that out. */
  #expectToldEnd(job: Job): void {
    const [work] = this.#providers.worksOf(job.id);
    if (work === undefined || job.status === 'completed' || job.status === 'cancelled') return;
    const endedAt = Math.min(work.stopsAt, work.doneAt);
    const couldBeFound = Math.max(endedAt, this.#weather.lastBadAt) + HOUR / 2 < this.#now();
    if ((this.#now() >= job.deadline_at && !couldBeFound) || this.#weather.hadWrongClocks) return;
    const isOfOurs = isWithdrawn(work, this.#now());
    const { error: reason = '' } = job;
    const isExcused = isUnfindable(work, reason) || this.#isOutlived(work, reason);
    if (isOfOurs || (work.outcome === 'succeeded' && !isExcused))
      this.#violate('I2', `${job.id} is ${job.status} (${job.error}), and its work ${JSON.stringify(work)}`);
  }

  /** Something failed until the address of its result had ended. */
  #isOutlived({ doneAt, manners: { linkHours = 24 } }: Work, reason: string): boolean {
    return LINK_OVER.test(reason) && doneAt + linkHours * HOUR < this.#weather.lastBadAt + HOUR / 2;
  }

  #onAccount(id: string, row: Row | undefined): void {
    if (id.startsWith('activity#')) this.#reports.replaceReport(id, row ?? {});
    if (row === undefined || !/^(key#|workspace#|guardrail#|lease#|credits$)/.test(id)) return;
    const account = v.parse(accountSchema, row);
    const before = this.accounts.get(id);
    this.accounts.set(id, account);
    this.#changedAccounts.add(id);
    for (const interval of INTERVALS) {
      const [was, is] = [before?.[interval], account[interval]];
      const limit = account.limits[interval]?.micros ?? Number.POSITIVE_INFINITY;
      const earlier = was?.period === is?.period ? (was?.committed ?? 0) : 0;
      if (is !== undefined && is.committed > Math.max(limit, earlier))
        this.#violate('I4', `${id} commits ${is.committed} of ${limit} (${interval})`);
    }
  }

  #onEvent(id: string, row: Row | undefined): void {
    if (row === undefined) {
      this.#onLostEvent(id);
      return;
    }
    const event = v.parse(eventSchema, row);
    this.events.set(id, event);
    this.#changedJobs.add(jobIdOf(id));
    const made = event.attempts - event.chain_start;
    const last = event.history.at(-1)?.outcome;
    if (
      event.status === 'failed' &&
      event.quarantine === undefined &&
      last !== REFUSED &&
      made < MAX_ATTEMPTS
    )
      this.#violate('I5', `${id} is given up after ${made} attempts, the last of them ${last}`);
  }

  /** Before its time only the deletion of its workspace ends an event. */
  #onLostEvent(id: string): void {
    const event = this.events.get(id);
    if (event?.status !== 'pending') return;
    this.events.set(id, { ...event, status: 'purged' });
    const { workspace_id = '' } = this.jobs.get(jobIdOf(id)) ?? {};
    if (!this.#workspaces.removed.has(workspace_id)) this.#violate('I5', `${id} is lost`);
  }

  /** Checks rules over several rows. Without a change they still hold. */
  check(): void {
    if (this.#changedJobs.size + this.#changedAccounts.size === 0) return;
    for (const id of this.#changedJobs) this.#checkEvent(id);
    const changed = [...this.#changedAccounts].flatMap((id) => this.accounts.get(id) ?? []);
    this.#changedJobs.clear();
    this.#changedAccounts.clear();
    for (const account of changed) {
      this.#checkHeld(account);
      if (!isOfCredits(account)) this.#checkCounts(account, [account.account]);
    }
    if (changed.some(isOfCredits)) this.#checkCredits();
    const contradiction = this.#reports.contradiction();
    if (contradiction !== undefined) this.#violate('I4', contradiction);
  }

  #checkEvent(id: string): void {
    const job = this.jobs.get(id);
    if (job === undefined) return;
    const event = this.events.get(eventIdOf(id));
    const told = job.phase === 'settled' ? `video.generation.${job.status}` : undefined;
    if (event?.type !== told) this.#violate('I3', `${id} is ${job.status} and its event is ${event?.type}`);
  }

  #checkHeld({ account, reserved, open_jobs }: Account): void {
    const { open, micros } = this.#held.of([account]);
    if (reserved !== micros || open_jobs !== open) {
      this.#violate('I4', `${account} has reserved ${reserved} for ${open_jobs}, not ${micros} for ${open}`);
    }
  }

  #checkCounts(account: Account, holders: readonly string[]): void {
    const held = this.#held.of(holders);
    for (const interval of INTERVALS) {
      const count = account[interval];
      if (count === undefined) continue;
      const { spent, byok, committed } = held.counted(interval, count.period);
      if (count.spent !== spent || count.byok !== byok || count.committed !== committed) {
        this.#violate(
          'I4',
          `${account.account} counts ${count.committed}, ${count.spent} and ${count.byok} spent (${interval}), not ${committed}, ${spent} and ${byok}`,
        );
      }
    }
  }

  /**
   * Credits are lent in blocks, and the pool takes over what an ended lease has spent. So only the total is checked.
   */
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

const isOfCredits = (account: Account): boolean => account.account === CREDITS || isLease(account);

/** Where work can be looked up, it is listed before the search for it ends. */
const isUnfindable = ({ manners }: Work, reason: string): boolean =>
  (UNCONFIRMED.test(reason) && manners.resubmit !== 'lookup') || BROKEN.test(reason) || KEYLESS.test(reason);

const jobIdOf = (eventId: string): string => `vid_${eventId.slice('msg_'.length)}`;
