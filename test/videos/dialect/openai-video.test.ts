import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  describeOpenaiVideo,
  describeOpenaiVideos,
  openaiVideoSchema,
  openaiVideosSchema,
} from '../../../functions/videos/dialect/openai-video.ts';
import { JOB_STATUSES } from '../../../functions/videos/jobs/job.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { aJob } from '../jobs/job-fixture.ts';

const video = {
  id: 'vid_01jg000000000000000000000a',
  object: 'video',
  model: 'sandbox/clip-1',
  status: 'queued',
  progress: 0,
  created_at: 1_767_225_600,
  completed_at: null,
  expires_at: null,
  seconds: '4',
  size: '640x360',
  prompt: null,
  remixed_from_video_id: null,
  error: null,
};
const END = '2026-01-01T00:00:10.900Z';
const failed = { error: 'It fell over', completed_at: END };

describe("a job as OpenAI's clients read it", () => {
  test.each<[Parameters<typeof aJob>[0], object]>([
    [{}, {}],
    [
      { status: 'in_progress', progress: 40 },
      { status: 'in_progress', progress: 40 },
    ],
    [
      { status: 'completed', progress: 90, completed_at: END, kept_days: 30 },
      {
        status: 'completed',
        progress: 100,
        completed_at: 1_767_225_610,
        expires_at: 1_767_225_610 + 30 * 86_400,
      },
    ],
    [
      { status: 'failed', ...failed, error_kind: failures.moderation },
      {
        status: 'failed',
        completed_at: 1_767_225_610,
        error: { code: 'moderation', message: 'It fell over' },
      },
    ],
    [
      { status: 'failed', progress: 50, ...failed },
      {
        status: 'failed',
        progress: 50,
        completed_at: 1_767_225_610,
        error: { code: 'provider', message: 'It fell over' },
      },
    ],
    [
      { status: 'cancelled', ...failed },
      {
        status: 'failed',
        completed_at: 1_767_225_610,
        error: { code: 'cancelled', message: 'It fell over' },
      },
    ],
    [
      { status: 'expired', ...failed },
      { status: 'failed', completed_at: 1_767_225_610, error: { code: 'timeout', message: 'It fell over' } },
    ],
  ])('with %j has %j', (change, expected) => {
    expect(describeOpenaiVideo(aJob(change))).toEqual({ ...video, ...expected });
  });

  test('leaves out fields that rows of older versions do not have', () => {
    const { size: _, duration_seconds: __, ...older } = aJob();
    const { size: ___, seconds: ____, ...shown } = video;
    expect(describeOpenaiVideo(older)).toEqual(shown);
  });

  test('always matches its description', () => {
    const changes = fc.record(
      {
        status: fc.constantFrom(...JOB_STATUSES),
        progress: fc.double({ min: 0, max: 100, noNaN: true }),
        error: fc.string(),
        error_kind: fc.constantFrom(...Object.values(failures)),
        completed_at: fc.constant(END),
        kept_days: fc.integer({ min: 1, max: 90 }),
      },
      { requiredKeys: ['status'] },
    );
    fc.assert(
      fc.property(changes, (change) => {
        expect(v.is(v.strictObject(openaiVideoSchema.entries), describeOpenaiVideo(aJob(change)))).toBe(true);
      }),
    );
  });
});

test('a page says where the next one begins', () => {
  const rows = ['vid_01jg000000000000000000000b', 'vid_01jg000000000000000000000a'].map((id) => aJob({ id }));
  const data = rows.map((job) => describeOpenaiVideo(job));
  const [first_id, last_id] = rows.map(({ id }) => id);
  const last = { object: 'list', data, first_id, last_id, has_more: false };
  expect(describeOpenaiVideos({ rows, cursor: null })).toEqual(last);
  // Rows that cannot be read are left out. If the page ends with one, the cursor is its id.
  const cursor = 'vid_01jg0000000000000000000009';
  expect(describeOpenaiVideos({ rows, cursor })).toEqual({ ...last, last_id: cursor, has_more: true });
  const empty = { object: 'list', data: [], first_id: null, last_id: null, has_more: false };
  expect(describeOpenaiVideos({ rows: [], cursor: null })).toEqual(empty);
  expect(v.is(openaiVideosSchema, last)).toBe(true);
});
