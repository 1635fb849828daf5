import { expect, test } from '@jest/globals';
import { earlierVideos, partOf } from '../../../functions/videos/inputs/earlier-video.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { aRequest } from '../routing/an-offer.ts';

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
  expect(partOf(whole, 'ws-1', 'video', after(30 * DAY))).toMatchObject({ missing: 'has expired' });
});

test.each<[string, Job | undefined, string, string]>([
  ['none', undefined, 'ws-1', 'does not exist in this workspace'],
  ['of another workspace', whole, 'ws-2', 'does not exist in this workspace'],
  [
    'of a deleted workspace',
    { ...whole, purged_at: '2026-01-02' },
    'ws-1',
    'does not exist in this workspace',
  ],
  [
    'that has failed',
    aJob({ status: 'failed' }),
    'ws-1',
    'has the status failed; only a completed video can be an input',
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

test('what is known of the videos of a request is what their files say', async () => {
  const [id, other, failed] = ['c', 'd', 'e'].map((end) => `vid_01jg00000000000000000000${end.repeat(2)}`);
  const output = { ...completed.outputs![0]!, width: 854, height: 480, duration_seconds: 4.04 };
  const rows = new Map<string | undefined, Job>([
    [id, { ...completed, outputs: [output] }],
    [other, completed],
    [failed, aJob({ status: 'failed' })],
  ]);
  const asked: (string | undefined)[] = [];
  const jobs = {
    look: async (named: string) => {
      asked.push(named);
      return rows.get(named);
    },
  };
  const clip = (url: string | undefined) => ({ type: 'video_url', video_url: { url } });
  const input_references = [clip(other), clip(other), clip(failed), clip('https://a.example/v.mp4')];
  const request = aRequest({ previous_job_id: id, input_references });
  const known = (workspace: string) => earlierVideos(request, workspace, { jobs, now: () => START });
  expect([...(await known('ws-1'))]).toEqual([
    [id, { width: 854, height: 480, seconds: 4.04 }],
    [other, {}],
  ]);
  expect(asked).toEqual([id, other, failed]);
  expect((await known('ws-2')).size).toBe(0);
});
