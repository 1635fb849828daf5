import type { Principal } from '../../../functions/http/call.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { priceOf } from '../../../functions/videos/catalogue/price.ts';
import type { RequestedVideo } from '../../../functions/videos/catalogue/requested-video.ts';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { type NewJob, newJob } from '../../../functions/videos/jobs/new-job.ts';
import type { Candidate } from '../../../functions/videos/routing/choose.ts';

export const START = new Date('2026-01-01T00:00:00Z');

const VIDEO: RequestedVideo = {
  prompt: 'A fox',
  width: 640,
  height: 360,
  duration_seconds: 4,
  generate_audio: false,
  frame_images: [],
  input_references: [],
  options: {},
};

const sandbox = findOffer('sandbox/clip-1')!;

/** An offer of the sandbox as a candidate. @param change the fields that a test sets */
export const aCandidate = (change: Partial<Candidate> = {}): Candidate => ({
  offer: sandbox,
  isByok: false,
  turn: 'usual',
  estimateMicros: priceOf(VIDEO, sandbox),
  ...change,
});

export const PRINCIPAL: Principal = {
  keyHash: 'hash',
  kind: 'normal',
  workspaceId: 'ws-1',
  creator: 'hash',
  rateLimits: {},
  scope: UNLIMITED,
  endsAt: null,
};

/** A job right after its submission. @param change the fields that a test sets */
export function aJob(change: Partial<JobWithRequest> = {}, asked: Partial<NewJob> = {}): JobWithRequest {
  const job = newJob(
    {
      id: 'vid_01jg000000000000000000000a',
      principal: PRINCIPAL,
      model: 'sandbox/clip-1',
      choice: { video: VIDEO, candidates: [aCandidate()] },
      options: {},
      callbackUrl: 'https://receiver.example/hook',
      publicUrl: 'https://api.example',
      ...asked,
    },
    START,
  );
  return { ...job, ...change };
}
