import { defined } from '../../defined.ts';
import type { Principal } from '../../http/call.ts';
import { most } from '../../money/micros.ts';
import { sizeName } from '../catalogue/frame-size.ts';
import { modelOf } from '../catalogue/offer.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import type { Candidate, Choice } from '../routing/choose.ts';
import type { Alternative, Job, JobWithRequest } from './job.ts';

export interface NewJob {
  readonly id: string;
  readonly principal: Principal;
  /** As the caller has named it. */
  readonly model: string;
  readonly choice: Choice;
  /** The caller's settings to pass on, by provider. */
  readonly options: VideoRequest['provider']['options'];
  readonly callbackUrl: string | undefined;
  readonly publicUrl: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Whom the caller says that it is for. */
  readonly attribution?: Pick<VideoRequest, 'user' | 'session_id' | 'trace'>;
  readonly warnings?: readonly string[];
}

export function newJob(asked: NewJob, now: Date): JobWithRequest {
  const { id, principal, model, choice, options } = asked;
  const at = now.toISOString();
  const [first, ...others] = choice.candidates;
  const deadlines = choice.candidates.map(({ offer }) => offer.deadline_seconds);
  return {
    id,
    workspace_id: principal.workspaceId,
    key_hash: principal.keyHash,
    ...(principal.creator === principal.keyHash ? {} : { creator: principal.creator }),
    model,
    ...(modelOf(first.offer) === model ? {} : { endpoint_of: modelOf(first.offer) }),
    request: choice.video,
    ...otherOptions(choice, options),
    duration_seconds: choice.video.duration_seconds,
    size: sizeName(choice.video),
    ...placeOf(first),
    ...quoteOf(choice),
    ...termsOf(choice),
    alternatives: others.map(placeOf),
    holds: [],
    ...notesOf(asked),
    public_url: asked.publicUrl,
    status: 'pending',
    phase: 'queued',
    seq: 0,
    link: '',
    step: '',
    submits: 0,
    polls: 0,
    unusable_copies: 0,
    due_at: now.getTime(),
    sweeps: 0,
    deadline_at: now.getTime() + Math.max(...deadlines) * 1000,
    history: [{ at, status: 'pending' }],
    created_at: at,
    updated_at: at,
  };
}

/** What the caller has said, and was told, that changes nothing of the video. */
const notesOf = ({ callbackUrl, metadata, attribution, warnings = [] }: NewJob): Partial<Job> => ({
  ...defined({ callback_url: callbackUrl, metadata }),
  ...attribution,
  ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
});

const termsOf = ({ guardrailId, dataDiscount = 0 }: Choice): Pick<Job, 'guardrail_id' | 'data_discount'> =>
  defined({ guardrail_id: guardrailId, data_discount: dataDiscount === 0 ? undefined : dataDiscount });

function quoteOf({ candidates: [first, ...others] }: Choice): Pick<Job, 'quote'> {
  if (others.length === 0) return {};
  const estimated_micros = first.estimateMicros;
  const max_micros = most(estimated_micros, ...others.map(({ estimateMicros }) => estimateMicros));
  return { quote: { estimated_micros, max_micros } };
}

const placeOf = ({ offer, estimateMicros, isByok }: Candidate): Alternative => ({
  endpoint: offer.id,
  provider: offer.provider,
  estimate_micros: estimateMicros,
  is_byok: isByok,
});

/**
 * Settings for each other provider; the request has those for the first. A provider without any has an empty object of
 * its own.
 */
function otherOptions(
  { candidates: [first, ...others] }: Choice,
  options: NewJob['options'],
): Pick<JobWithRequest, 'other_options'> {
  const providers = others.map(({ offer }) => offer.provider);
  const names = providers.filter((name) => name !== first.offer.provider);
  if (names.length === 0) return {};
  return { other_options: Object.fromEntries(names.map((name) => [name, options[name] ?? {}])) };
}
