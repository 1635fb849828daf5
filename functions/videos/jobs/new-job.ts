import type { Principal } from '../../http/principal.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import type { Candidate } from '../routing/candidate.ts';
import type { Choice } from '../routing/choose.ts';
import type { Alternative, Job } from './job.ts';

export interface NewJob {
  readonly id: string;
  readonly principal: Principal;
  /** As the caller has named it. */
  readonly model: string;
  readonly choice: Choice;
  /** What the caller wants passed on, by provider. */
  readonly options: VideoRequest['provider']['options'];
  readonly callbackUrl: string | undefined;
  readonly publicUrl: string;
}

export function newJob(
  { id, principal, model, choice, options, callbackUrl, publicUrl }: NewJob,
  now: Date,
): Job {
  const at = now.toISOString();
  const [first, ...others] = choice.candidates;
  const deadlines = choice.candidates.map(({ endpoint }) => endpoint.deadline_seconds);
  return {
    id,
    workspace_id: principal.workspaceId,
    key_hash: principal.keyHash,
    model,
    request: choice.video,
    ...placeOf(first),
    alternatives: others.map(placeOf),
    ...otherOptions(others, options),
    holds: [],
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    public_url: publicUrl,
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

const placeOf = ({ endpoint, estimateMicros, isByok }: Candidate): Alternative => ({
  endpoint: endpoint.id,
  provider: endpoint.provider,
  estimate_micros: estimateMicros,
  is_byok: isByok,
});

/** By provider: several endpoints of one would make several copies of what may be large. */
function otherOptions(others: readonly Candidate[], options: NewJob['options']): Pick<Job, 'other_options'> {
  const named = others.flatMap(({ endpoint: { provider } }) => {
    const block = options[provider];
    return block === undefined ? [] : [[provider, block] as const];
  });
  return named.length === 0 ? {} : { other_options: Object.fromEntries(named) };
}
