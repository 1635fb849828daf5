import { expect, test } from '@jest/globals';
import { partOf } from '../../../functions/videos/inputs/earlier-video.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

const DAY = 86_400_000;
const completed: Job = aJob({
  status: 'completed',
  outputs: [{ key: 'a/0.mp4', size_bytes: 1, sha256: '' }],
  completed_at: START.toISOString(),
  kept_days: 30,
});
const whole: Job = { ...completed, stills: [{ thumbnail: 'a/0.jpg', last_frame: 'a/0.last.jpg' }] };
const after = (milliseconds: number) => new Date(START.getTime() + milliseconds);

test('a completed video can be an input as long as it is kept', () => {
  expect(partOf(whole, 'ws-1', 'video', after(30 * DAY - 1))).toEqual({
    key: 'a/0.mp4',
    mediaType: 'video/mp4',
  });
  expect(partOf(whole, 'ws-1', 'last_frame', after(0))).toEqual({
    key: 'a/0.last.jpg',
    mediaType: 'image/jpeg',
  });
  expect(partOf(whole, 'ws-1', 'video', after(30 * DAY))).toMatchObject({ missing: 'is no longer kept' });
});

test.each<[string, Job | undefined, string, string]>([
  ['none', undefined, 'ws-1', 'is not a video of this workspace'],
  ['of another workspace', whole, 'ws-2', 'is not a video of this workspace'],
  [
    'of a deleted workspace',
    { ...whole, purged_at: '2026-01-02' },
    'ws-1',
    'is not a video of this workspace',
  ],
  [
    'that has failed',
    aJob({ status: 'failed' }),
    'ws-1',
    'is failed; only a completed video can be an input',
  ],
])('a job %s cannot be an input', (_, job, workspace, why) => {
  expect(partOf(job, workspace, 'video', START)).toEqual({ missing: why, isComing: false });
});

test('a last frame is coming for ten minutes, unless it is known that there is none', () => {
  const isComing = (job: Job, at: Date) => partOf(job, 'ws-1', 'last_frame', at);
  expect(isComing(completed, after(600_000 - 1))).toMatchObject({ isComing: true });
  expect(isComing(completed, after(600_000))).toMatchObject({ isComing: false });
  expect(isComing({ ...completed, stills: [{}] }, after(0))).toMatchObject({ isComing: false });
});
