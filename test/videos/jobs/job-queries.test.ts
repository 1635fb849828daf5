import { describe, expect, test } from '@jest/globals';
import { askedJobs } from '../../../functions/videos/jobs/job-queries.ts';
import { aJob } from './job-fixture.ts';

const asked = (query: Record<string, string>) => askedJobs({ query });
const ID = aJob().id;
const EARLY = '2026-01-01T00:00:00Z';
const LATE = '2026-01-01T00:00:01Z';

describe('a list of jobs', () => {
  test('begins with the newest twenty', () => {
    expect(asked({})).toEqual({ named: undefined, limit: 20, chosen: { before: undefined } });
  });

  test.each([
    [{ cursor: ID }, { before: ID }],
    [{ after: ID }, { before: ID }],
    [{ after: ID, order: 'desc' }, { before: ID }],
    [
      { cursor: ID, order: 'asc' },
      { oldestFirst: true, after: ID },
    ],
    [{ order: 'asc' }, { oldestFirst: true, after: undefined }],
    [
      { since: EARLY, until: EARLY },
      { since: new Date(EARLY), until: new Date(EARLY), before: undefined },
    ],
    [
      { status: 'failed', model: 'm' },
      { status: 'failed', model: 'm', before: undefined },
    ],
  ])('of %j', (query: Record<string, string>, chosen) => {
    expect(asked(query).chosen).toEqual(chosen);
  });

  test('names its workspace and its size', () => {
    expect(asked({ workspace_id: 'ws-1', limit: '100' })).toMatchObject({ named: 'ws-1', limit: 100 });
  });

  test.each([
    [{ cursor: ID, after: ID }, 'after: cannot be combined with cursor'],
    [{ since: LATE, until: EARLY }, 'since: must not be later than the value of until'],
    [{ cursor: 'vid_1' }, 'cursor: must be the cursor of the previous page'],
    [{ after: 'vid_1' }, 'after: must be the ID of a video (vid_…)'],
    [{ status: 'lost' }, 'status: must be one of pending, in_progress'],
    [{ order: 'up' }, 'order: must be asc or desc'],
    [{ key: 'k' }, 'key: must be the hash of a key'],
    [{ since: 'yesterday' }, 'since: must be an ISO 8601 date'],
  ])('of %j is refused', (query: Record<string, string>, message) => {
    expect(() => asked(query)).toThrow(message);
  });
});
