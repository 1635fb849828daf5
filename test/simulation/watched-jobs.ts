import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Job, jobSchema } from '../../functions/videos/jobs/job.ts';
import { MAX_ATTEMPTS } from '../../functions/webhooks/delivery/judge-answer.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { ENDED, RANK } from '../histories/check-history.ts';
import { beforeEachCall, followTable, type Row } from './followed-tables.ts';
import { isWithdrawn, type Work } from './providers.ts';
import type { Scene } from './scene.ts';

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

const HOUR = 3_600_000;

/** A key is read before the request is sent that spends its money. */
const MOMENT = 10_000;

/** Why a job may end without the video that its provider has made. */
const UNCONFIRMED = /did not confirm/;
const BROKEN = /not a complete MP4/;
/** A job at its provider may lose the key with which it is asked about. */
export const KEYLESS = /no key for this provider/;
const LINK_OVER = /result returned 403/;

/** The outcome for a receiver that is gone, or that is busy. */
const REFUSED = '4xx';

/** I1 to I6, from the rows of jobs and events, after every write. */
export class WatchedJobs {
  /** All jobs, including deleted ones, and each as it was before its workspace was purged. */
  readonly all = new Map<string, Job>();
  readonly events = new Map<string, EventRow>();
  /** By the hashes of keys: since when they certainly cannot spend anything. Whoever closes a key adds it. */
  readonly closedKeys = new Map<string, number>();
  readonly #scene: Scene;
  /** Hear of each change of a job. */
  readonly #judges: readonly ((job: Job, before: Job | undefined) => void)[];
  /** The changes since the last check. */
  readonly #changed = new Set<string>();

  constructor(scene: Scene, judges: readonly ((job: Job, before: Job | undefined) => void)[]) {
    this.#scene = scene;
    this.#judges = judges;
    this.#follow('Videos-Jobs', (id, row) => this.#onJob(id, row));
    this.#follow('Webhooks-Events', (id, row) => this.#onEvent(id, row));
    beforeEachCall(scene, () => this.check());
  }

  #follow(path: string, onWrite: (id: string, row: Row | undefined) => void): void {
    followTable(this.#scene, path, (id, row) => {
      this.#scene.due.follow(path, id, row);
      onWrite(id, row);
    });
  }

  #onJob(id: string, row: Row | undefined): void {
    if (id.endsWith('#request')) return;
    if (row === undefined) return;
    const job = v.parse(jobSchema, row);
    const before = this.all.get(id);
    if (job.purged_at !== undefined) {
      this.#scene.workspaces.sawStripped(before, job);
      return;
    }
    this.#scene.workspaces.sawJob(before, job);
    this.all.set(id, job);
    this.#changed.add(id);
    this.#scene.money.sawJob(job);
    if (before === undefined && this.closedKeys.has(job.key_hash) && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I4', `${id} begins on a key that is closed`);
    if (job.phase === 'settled' && before?.phase !== 'settled') this.#expectToldEnd(job);
    if (before !== undefined) this.#expectForward(before, job);
    this.#expectSound(job);
    for (const judge of this.#judges) judge(job, before);
  }

  #expectForward(before: Job, job: Job): void {
    if (before.phase === 'settled' && !isDeepStrictEqual(before, job))
      this.#scene.violate('I3', `${job.id} has changed after its end`);
    if (RANK[job.status] < RANK[before.status])
      this.#scene.violate('I3', `${job.id} goes from ${before.status} to ${job.status}`);
    if (job.seq < before.seq) this.#scene.violate('I3', `${job.id} goes back to link ${job.seq}`);
    if (!isDeepStrictEqual(job.history.slice(0, before.history.length), before.history))
      this.#scene.violate('I3', `${job.id} has a different history`);
  }

  #expectSound(job: Job): void {
    const { id, status, phase, cost_micros: cost, estimate_micros: estimate, outputs } = job;
    if ((RANK[status] === ENDED) !== (phase === 'settled'))
      this.#scene.violate('I3', `${id} is ${status} and ${phase}`);
    if ((cost ?? 0) > estimate) this.#scene.violate('I4', `${id} costs ${cost} and held ${estimate}`);
    if ((status === 'completed') !== (outputs !== undefined))
      this.#scene.violate('I6', `${id} is ${status} and has ${outputs?.length} videos`);
    const { world, cloud } = this.#scene;
    const bucket = world.s3.bucket(cloud.stage.name('Videos-Results'));
    for (const { key, size_bytes: size } of outputs ?? []) {
      if (bucket?.objects.get(key)?.body.length !== size)
        this.#scene.violate('I6', `${id} has a video that is not stored`);
    }
    this.#expectSoundWork(job);
  }

  #expectSoundWork({ id, key_hash, status, cost_micros: cost }: Job): void {
    const works = this.#scene.providers.worksOf(id);
    const closedAt = this.closedKeys.get(key_hash) ?? Number.POSITIVE_INFINITY;
    if (works.some(({ acceptedAt }) => acceptedAt > closedAt + MOMENT) && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I4', `a provider begins ${id} on a key that is closed`);
    const isCharged = status === 'cancelled' && works.some(({ costMicros }) => costMicros !== undefined);
    if (cost === undefined ? status === 'completed' : status !== 'completed' && !isCharged)
      this.#scene.violate('I4', `${id} is ${status} and costs ${cost}`);
    if (works.length > 1) this.#scene.violate('I2', `${id} was done ${works.length} times`);
    if (status === 'completed' && works.length === 0) this.#scene.violate('I2', `${id} was done by nobody`);
    if (status === 'cancelled' && works.some((work) => !isWithdrawn(work, this.#scene.now())))
      this.#scene.violate('I4', `${id} is cancelled, but its provider goes on`);
  }

  /** What its provider has done for a job must agree with its end, unless it was too late to find that out. */
  #expectToldEnd(job: Job): void {
    const [work] = this.#scene.providers.worksOf(job.id);
    if (work === undefined || job.status === 'completed' || job.status === 'cancelled') return;
    const endedAt = Math.min(work.stopsAt, work.doneAt);
    const couldBeFound = Math.max(endedAt, this.#scene.weather.lastBadAt) + HOUR / 2 < this.#scene.now();
    if ((this.#scene.now() >= job.deadline_at && !couldBeFound) || this.#scene.weather.hadWrongClocks) return;
    const isOfOurs = isWithdrawn(work, this.#scene.now());
    const { error: reason = '' } = job;
    const isExcused = isUnfindable(work, reason) || this.#isOutlived(work, reason);
    if (isOfOurs || (work.outcome === 'succeeded' && !isExcused))
      this.#scene.violate(
        'I2',
        `${job.id} is ${job.status} (${job.error}), and its work ${JSON.stringify(work)}`,
      );
  }

  /** Something failed until the address of its result had ended. */
  #isOutlived({ doneAt, manners: { linkHours = 24 } }: Work, reason: string): boolean {
    return LINK_OVER.test(reason) && doneAt + linkHours * HOUR < this.#scene.weather.lastBadAt + HOUR / 2;
  }

  #onEvent(id: string, row: Row | undefined): void {
    if (row === undefined) {
      this.#onLostEvent(id);
      return;
    }
    const event = v.parse(eventSchema, row);
    this.events.set(id, event);
    this.#changed.add(jobIdOf(id));
    const made = event.attempts - event.chain_start;
    const last = event.history.at(-1)?.outcome;
    if (
      event.status === 'failed' &&
      event.quarantine === undefined &&
      last !== REFUSED &&
      made < MAX_ATTEMPTS
    )
      this.#scene.violate('I5', `${id} is given up after ${made} attempts, the last of them ${last}`);
  }

  /** Before its time only the deletion of its workspace ends an event. */
  #onLostEvent(id: string): void {
    const event = this.events.get(id);
    if (event?.status !== 'pending') return;
    this.events.set(id, { ...event, status: 'purged' });
    const { workspace_id = '' } = this.all.get(jobIdOf(id)) ?? {};
    if (!this.#scene.workspaces.removed.has(workspace_id)) this.#scene.violate('I5', `${id} is lost`);
  }

  /** Checks rules over several rows. Without a change they still hold. */
  check(): void {
    for (const id of this.#changed) this.#checkEvent(id);
    this.#changed.clear();
  }

  #checkEvent(id: string): void {
    const job = this.all.get(id);
    if (job === undefined) return;
    const event = this.events.get(eventIdOf(id));
    const told = job.phase === 'settled' ? `video.generation.${job.status}` : undefined;
    if (event?.type !== told)
      this.#scene.violate('I3', `${id} is ${job.status} and its event is ${event?.type}`);
  }
}

/** Where work can be looked up, it is listed before the search for it ends. */
const isUnfindable = ({ manners }: Work, reason: string): boolean =>
  (UNCONFIRMED.test(reason) && manners.resubmit !== 'lookup') || BROKEN.test(reason) || KEYLESS.test(reason);

const jobIdOf = (eventId: string): string => `vid_${eventId.slice('msg_'.length)}`;
