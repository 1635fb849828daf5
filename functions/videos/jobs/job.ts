import * as v from 'valibot';
import { microsSchema } from '../../money/micros.ts';
import { jsonObjectSchema, type RequestedVideo, requestedVideoSchema } from '../catalogue/requested-video.ts';
import { failureSchema } from './job-failure.ts';
import { storedHoldSchema, wholeHold } from './stored-holds.ts';

/**
 * What a job waits for before a provider has it. `provider_resting`: the provider has not answered for a while, and
 * gets no submits. `provider_busy`: as many calls to it are under way as may be. `rate_limit`: it asked for slower submits.
 * `provider_unavailable`: it could not take the job. `confirmation`: it is asked whether it has the job. `input`: an
 * input could not be read.
 */
export const WAIT_REASONS = [
  'provider_resting',
  'provider_busy',
  'rate_limit',
  'provider_unavailable',
  'confirmation',
  'input',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** Rows have another word for `provider_resting`, because functions of the version before read them too. */
const RESTING_IN_ROWS = 'provider_paused';

const waitSchema = v.object({
  reason: v.pipe(
    v.picklist([RESTING_IN_ROWS, ...WAIT_REASONS]),
    v.transform((reason) => (reason === RESTING_IN_ROWS ? 'provider_resting' : reason)),
  ),
  until: v.string(),
});

/** What a job waits for, as its row says it. */
export const storedWait = ({ waiting_for: wait }: Pick<Partial<Job>, 'waiting_for'>) =>
  wait?.reason === 'provider_resting' ? { waiting_for: { ...wait, reason: RESTING_IN_ROWS } } : {};

export const JOB_STATUSES = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const outputSchema = v.object({
  key: v.string(),
  size_bytes: v.number(),
  sha256: v.string(),
  /** As the video file says; absent where it does not, and in rows of older versions. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  duration_seconds: v.exactOptional(v.number()),
});
export type StoredOutput = v.InferOutput<typeof outputSchema>;

const stillsSchema = v.object({
  thumbnail: v.exactOptional(v.string()),
  last_frame: v.exactOptional(v.string()),
  /** Rows of older versions have none. */
  spritesheet: v.exactOptional(v.string()),
});
export type Stills = v.InferOutput<typeof stillsSchema>;

const milestoneSchema = v.object({
  at: v.string(),
  status: v.picklist(JOB_STATUSES),
  /** Who took the job, or did not take it. */
  provider: v.exactOptional(v.string()),
  endpoint: v.exactOptional(v.string()),
  detail: v.exactOptional(v.string()),
});

/** A place: where a job is, or could go. */
const placeEntries = {
  endpoint: v.string(),
  provider: v.string(),
  estimate_micros: microsSchema,
  /** Whether it runs on the workspace's own key for the provider. */
  is_byok: v.boolean(),
  /** The job has been there, and was not taken. */
  tried: v.exactOptional(v.boolean()),
};
const alternativeSchema = v.object(placeEntries);
export type Alternative = v.InferOutput<typeof alternativeSchema>;

/**
 * A job's row: what changes, and what is needed to change it. `status` is what callers see. `phase` is how far the work
 * is: `queued` (nothing sent), `submitting` (a submit may be on its way), `polling` (the provider has it), `made` (the
 * provider is done, its result waits to be copied), `copying` (a copy may be under way), `settled` (a final status;
 * nothing changes any more).
 */
export const jobRowSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  key_hash: v.string(),
  /** The user of that key where it has one, because a provider key may be for some users only. Older rows have none. */
  creator: v.exactOptional(v.string()),
  /** As the caller has named it. */
  model: v.string(),
  /**
   * The name of the model where the caller has named an offer of it. A provider key may be for that name alone, and the
   * offer may leave the catalogue while the job runs.
   */
  endpoint_of: v.exactOptional(v.string()),
  ...placeEntries,
  /** What its submit was told, where there was more than one place; a job of one place costs at most its estimate. */
  quote: v.exactOptional(v.object({ estimated_micros: microsSchema, max_micros: microsSchema })),
  /** Rows of older versions, in which a model had one offer, have neither. */
  endpoint: v.exactOptional(v.string()),
  provider: v.exactOptional(v.string()),
  /** Only in rows of older versions; now requests have rows of their own. */
  request: v.exactOptional(requestedVideoSchema),
  /** The duration of the requested video, as reports count it. */
  duration_seconds: v.exactOptional(v.number()),
  /** The size of the requested video in pixels: `1280x720`. */
  size: v.exactOptional(v.string()),
  is_byok: v.optional(v.boolean(), false),
  /** The guardrail whose limit it counts against, if that has one. */
  guardrail_id: v.exactOptional(v.string()),
  /** The discount on accounts of the deployment's; the estimates already contain it. */
  data_discount: v.exactOptional(v.number()),
  /** One of its submits was never answered: that provider may have it, unless another says that it has. */
  may_be_taken: v.exactOptional(v.boolean()),
  /** Where it may go if it is not taken where it is; empty once it may have been taken. */
  alternatives: v.optional(v.array(alternativeSchema), []),
  /** The money that it holds until it ends, released by the transaction that ends it. */
  holds: v.optional(v.array(storedHoldSchema), []),
  callback_url: v.exactOptional(v.string()),
  /** The origin by which the caller reached us, for the links in the event. */
  public_url: v.string(),
  /** The caller's own notes, returned as they came. */
  metadata: v.exactOptional(v.record(v.string(), v.string())),
  /** For reports, logs and traces alone; rows of older versions have none of the three. */
  user: v.exactOptional(v.string()),
  session_id: v.exactOptional(v.string()),
  trace: v.exactOptional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  /** What the caller should know about the request although it was accepted. */
  warnings: v.exactOptional(v.array(v.string())),

  status: v.picklist(JOB_STATUSES),
  phase: v.picklist(['queued', 'submitting', 'polling', 'made', 'copying', 'settled']),
  /** The link of the message chain that may act now. Each committed step that sends a message adds one. */
  seq: v.number(),
  /** The name of that link: of several messages for one link only the committed one may act. */
  link: v.optional(v.string(), ''),
  /** The name of the latest step: a writer who finds its own name has written the step already. */
  step: v.optional(v.string(), ''),
  /** Submits begun and polls answered so far, which set the pace. Messages count the polls that were not written. */
  submits: v.number(),
  polls: v.number(),
  /**
   * When the next step is due, in milliseconds since the epoch; of polls, the next one that is written. The sweeper looks
   * for overdue jobs, and puts this off.
   */
  due_at: v.number(),
  /**
   * Whether the provider that has the job was asked to call back, and whether it has lately done so. Absent where it was
   * not asked, and in rows of older versions.
   */
  calls_back: v.exactOptional(v.picklist(['perhaps', 'reliably'])),
  /** How often the provider has called back since the latest submit was begun. Absent before the first callback. */
  callbacks: v.exactOptional(v.number()),
  /**
   * Until when the worker that began the latest submit or copy has the job to itself, unless it has gone on since.
   * Absent before the first, and in rows of older versions, where only `due_at` says it. A lease leaves `due_at` as it is,
   * because a change would move the row in the sweeper's index.
   */
  leased_until: v.exactOptional(v.number()),
  /** How often the sweeper has put it off since the latest step. */
  sweeps: v.optional(v.number(), 0),
  deadline_at: v.number(),

  /** When operators last released it from quarantine, in milliseconds since the epoch. */
  released_at: v.exactOptional(v.number()),
  /** When the caller asked to cancel it; its provider has not confirmed yet. */
  cancel_requested_at: v.exactOptional(v.string()),
  /**
   * The latest poll, by its number, in which the provider did not know the job after it was asked to cancel it. Absent
   * in rows of older versions.
   */
  missing_in_poll: v.exactOptional(v.number()),
  ref: v.exactOptional(jsonObjectSchema),
  upstream_id: v.exactOptional(v.string()),
  generation_id: v.exactOptional(v.string()),
  progress: v.exactOptional(v.number()),
  /** Why the latest submit failed that is to be repeated. */
  submit_error: v.exactOptional(v.string()),
  /** Why the latest copy of the result failed, and how many copies were not a video. */
  copy_error: v.exactOptional(v.string()),
  unusable_copies: v.optional(v.number(), 0),
  error: v.exactOptional(v.string()),
  /** The kind of end that `error` describes; absent in rows of older versions. */
  error_kind: v.exactOptional(failureSchema),
  /** What it waits for until `due_at`; null when it goes on. */
  waiting_for: v.exactOptional(v.nullable(waitSchema)),
  /** At most the estimate, which is at most what was held. */
  cost_micros: v.exactOptional(microsSchema),
  /** The provider's charge, where it is higher. For the deployer only. */
  upstream_cost_micros: v.exactOptional(microsSchema),
  outputs: v.exactOptional(v.array(outputSchema)),
  /**
   * Pictures of the outputs, in their order, made after the end of the job. One that cannot be decoded has none; absent
   * until they are made, and in rows of older versions.
   */
  stills: v.exactOptional(v.array(stillsSchema)),
  /** How many days the outputs are kept. */
  kept_days: v.exactOptional(v.number()),

  /** Every status that callers could see, in order, three at most; and each provider that did not take it, once. */
  history: v.array(milestoneSchema),
  created_at: v.string(),
  updated_at: v.string(),
  completed_at: v.exactOptional(v.string()),
  /** The Unix second after which the row may be deleted. */
  expires_at: v.exactOptional(v.number()),
  /** When everything that was its workspace's was taken out of the row: only what reports show is left. */
  purged_at: v.exactOptional(v.string()),
});

export const jobSchema = v.pipe(
  jobRowSchema,
  v.transform(({ holds, ...row }) => ({ ...row, holds: holds.map((hold) => wholeHold(hold, row)) })),
);
export type Job = Readonly<v.InferOutput<typeof jobSchema>>;

/** A new job, with what is asked of its provider. */
export type JobWithRequest = Job & {
  readonly request: RequestedVideo;
  /** The caller's settings for the other providers that it may come to, by name. */
  readonly other_options?: Readonly<Record<string, RequestedVideo['options']>>;
};

/** Until when a worker may have the job to itself, in milliseconds since the epoch; 0 where none can. */
export const leaseEnd = ({ phase, leased_until = 0 }: { phase?: unknown; leased_until?: number }): number =>
  phase === 'submitting' || phase === 'copying' ? leased_until : 0;

/** How long an ended job can still be asked for. */
export const ROW_DAYS = 90;

/** Lists a job among those of its workspace with the same status; written with every change of status. */
export const listedAs = (workspaceId: string, status: JobStatus) => ({
  workspace_status: `${workspaceId}#${status}`,
});

/** The id of what a provider makes for a job. A job has one generation at most, so each id follows from the other. */
export const generationIdOf = (jobId: string): string => `gen_${jobId.slice('vid_'.length)}`;

export const jobIdOf = (generationId: string): string => `vid_${generationId.slice('gen_'.length)}`;

type Kept = Pick<Job, 'completed_at' | 'kept_days'>;

/** The moment until which a completed job's result is kept. */
export function goneAt({ completed_at, kept_days }: Kept): Date | undefined {
  if (completed_at === undefined || kept_days === undefined) return undefined;
  return new Date(Date.parse(completed_at) + kept_days * 86_400_000);
}

/** Whether a completed job's result has expired, even if the bucket has not deleted it yet. */
export function isGone(job: Kept, now: Date): boolean {
  const end = goneAt(job);
  return end !== undefined && now >= end;
}
