import * as v from 'valibot';
import { holdSchema } from '../../money/hold.ts';
import { type RequestedVideo, requestedVideoSchema } from '../catalogue/requested-video.ts';
import { jsonObjectSchema } from '../providers/json-object.ts';
import { failureSchema } from './failure-kind.ts';
import { waitSchema } from './job-wait.ts';

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
  /** As the video itself says; absent where it does not, and in rows of versions before it was asked. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  duration_seconds: v.exactOptional(v.number()),
});
export type StoredOutput = v.InferOutput<typeof outputSchema>;

const milestoneSchema = v.object({
  at: v.string(),
  status: v.picklist(JOB_STATUSES),
  /** Who took the job, or did not. */
  provider: v.exactOptional(v.string()),
  endpoint: v.exactOptional(v.string()),
  detail: v.exactOptional(v.string()),
});

/** Where a job is, or could be. */
const placeEntries = {
  endpoint: v.string(),
  provider: v.string(),
  /** Micro-dollars. */
  estimate_micros: v.number(),
  /** Whether it runs on the workspace's own key for the provider. */
  is_byok: v.boolean(),
  /** It has been there, and was not taken. */
  tried: v.exactOptional(v.boolean()),
};
const alternativeSchema = v.object(placeEntries);
export type Alternative = v.InferOutput<typeof alternativeSchema>;

/**
 * A job's row: what changes, and what is needed to change it. `status` is what callers see; `phase` is where the work stands:
 * `queued` (nothing sent), `submitting` (a submit may be on its way), `polling` (the provider has it), `made` (the
 * provider is done, its result is to be copied), `copying` (a copy may be under way),
 * `settled` (a final status; nothing changes any more).
 */
export const jobSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  key_hash: v.string(),
  /** As the caller has named it. */
  model: v.string(),
  ...placeEntries,
  /** Rows of versions before models had several endpoints name neither. */
  endpoint: v.exactOptional(v.string()),
  provider: v.exactOptional(v.string()),
  /** In rows of versions before requests had rows of their own. */
  request: v.exactOptional(requestedVideoSchema),
  /** Of the video that is asked for, as reports count it. */
  duration_seconds: v.exactOptional(v.number()),
  /** Of the video that is asked for, in pixels: `1280x720`. */
  size: v.exactOptional(v.string()),
  is_byok: v.optional(v.boolean(), false),
  /** The guardrail whose limit it counts against, where that has one. */
  guardrail_id: v.exactOptional(v.string()),
  /** The share that is taken off what it costs on an account of the deployment's; its estimates are without it already. */
  data_discount: v.exactOptional(v.number()),
  /** A submit of it has left no answer: its provider may have it, until another one tells. */
  may_be_taken: v.exactOptional(v.boolean()),
  /** Where it may go if it is not taken where it is; none from when on it may have been taken. */
  alternatives: v.optional(v.array(alternativeSchema), []),
  /** The money it holds until it ends; settled in the transaction that ends it. */
  holds: v.optional(v.array(holdSchema), []),
  callback_url: v.exactOptional(v.string()),
  /** Where the caller reached us at submission: the origin of links in the event. */
  public_url: v.string(),
  /** The caller's own notes, given back as they came. */
  metadata: v.exactOptional(v.record(v.string(), v.string())),
  /** What the caller should know of the request although it was accepted. */
  warnings: v.exactOptional(v.array(v.string())),

  status: v.picklist(JOB_STATUSES),
  phase: v.picklist(['queued', 'submitting', 'polling', 'made', 'copying', 'settled']),
  /** The link of the message chain that may act; each committed step that sends a message adds one. */
  seq: v.number(),
  /** Names that link: of several messages for one link only the one that was committed may act. */
  link: v.optional(v.string(), ''),
  /** Names the latest step that was written: who finds the own name has written it already. */
  step: v.optional(v.string(), ''),
  /** Submits begun and polls answered so far: they set the pace. */
  submits: v.number(),
  polls: v.number(),
  /** When the next step is due, in milliseconds since the epoch; what the sweeper looks at, and puts off. */
  due_at: v.number(),
  /** How often the sweeper has put it off since the latest step. */
  sweeps: v.optional(v.number(), 0),
  deadline_at: v.number(),

  /** The caller wants it cancelled, and its provider has yet to confirm that. */
  cancel_requested_at: v.exactOptional(v.string()),
  ref: v.exactOptional(jsonObjectSchema),
  upstream_id: v.exactOptional(v.string()),
  generation_id: v.exactOptional(v.string()),
  progress: v.exactOptional(v.number()),
  /** Why the latest copy of the result failed, and how many of the copies were no video. */
  copy_error: v.exactOptional(v.string()),
  unusable_copies: v.optional(v.number(), 0),
  error: v.exactOptional(v.string()),
  /** What kind of end `error` tells of; absent in rows of versions before there were kinds. */
  error_kind: v.exactOptional(failureSchema),
  /** What it waits for until `due_at`; null once it goes on. */
  waiting_for: v.exactOptional(v.nullable(waitSchema)),
  /** Micro-dollars; never more than the estimate, which is at most what was held. */
  cost_micros: v.exactOptional(v.number()),
  /** What the provider says it cost, where that is more; for the deployer alone. */
  upstream_cost_micros: v.exactOptional(v.number()),
  outputs: v.exactOptional(v.array(outputSchema)),
  /** For how long the outputs are kept. */
  kept_days: v.exactOptional(v.number()),

  /** Every status that callers could see, in order, at most three; and once each, who did not take the job. */
  history: v.array(milestoneSchema),
  created_at: v.string(),
  updated_at: v.string(),
  completed_at: v.exactOptional(v.string()),
  /** Unix seconds after which the row may go. */
  expires_at: v.exactOptional(v.number()),
});
export type Job = Readonly<v.InferOutput<typeof jobSchema>>;

/** A job as it comes in, with what is asked of its provider. */
export type JobWithRequest = Job & {
  readonly request: RequestedVideo;
  /** What the caller wants passed on to whom else it may come to, by provider. */
  readonly other_options?: Readonly<Record<string, RequestedVideo['options']>>;
};

export const VIDEO_ID = /^vid_[0-9a-hjkmnp-tv-z]{26}$/;

/** What lists a job among those of its workspace that have the same status; written with every change of status. */
export const listedAs = (workspaceId: string, status: JobStatus) => ({
  workspace_status: `${workspaceId}#${status}`,
});
