import { findModel } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Job, JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { newJob } from '../../../functions/videos/jobs/new-job.ts';

export const START = new Date('2026-01-01T00:00:00Z');

/** A job as it stands right after its submission, with what a test wants different. */
export function aJob(change: Partial<Job> = {}): JobWithRequest {
  const job = newJob(
    {
      id: 'vid_01jg000000000000000000000a',
      principal: { keyHash: 'hash', kind: 'normal', workspaceId: 'ws-1', creator: 'hash', rateLimits: {} },
      model: findModel('sandbox/clip-1')!,
      request: {
        prompt: 'A fox',
        width: 640,
        height: 360,
        duration_seconds: 4,
        generate_audio: false,
        frame_images: [],
        input_references: [],
        options: {},
      },
      isByok: false,
      callbackUrl: 'https://receiver.example/hook',
      publicUrl: 'https://api.example',
    },
    START,
  );
  return { ...job, ...change };
}
