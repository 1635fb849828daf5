import type { Principal } from '../../http/principal.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { priceOf } from '../catalogue/price.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { JobWithRequest } from './job.ts';

export interface NewJob {
  readonly id: string;
  readonly principal: Principal;
  readonly model: VideoModel;
  readonly request: RequestedVideo;
  /** It will run on the workspace's own key for the provider. */
  readonly isByok: boolean;
  readonly callbackUrl: string | undefined;
  readonly publicUrl: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly warnings?: readonly string[];
}

export function newJob(
  { id, principal, model, request, isByok, callbackUrl, publicUrl, metadata, warnings = [] }: NewJob,
  now: Date,
): JobWithRequest {
  const at = now.toISOString();
  return {
    id,
    workspace_id: principal.workspaceId,
    key_hash: principal.keyHash,
    model: model.id,
    request,
    duration_seconds: request.duration_seconds,
    estimate_micros: priceOf(request, model),
    is_byok: isByok,
    holds: [],
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    public_url: publicUrl,
    ...(metadata === undefined ? {} : { metadata }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
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
    deadline_at: now.getTime() + model.deadline_seconds * 1000,
    history: [{ at, status: 'pending' }],
    created_at: at,
    updated_at: at,
  };
}
