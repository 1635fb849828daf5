import { describe, expect, test } from '@jest/globals';
import { firstVideoId } from '../../../functions/ids.ts';
import { JOBS_BY_STATUS, JOBS_BY_WORKSPACE } from '../../../functions/tables.ts';
import { type JobFilter, listingOf } from '../../../functions/videos/jobs/job-store.ts';

const JANUARY = new Date('2026-01-01T00:00:00Z');
const MARCH = new Date('2026-03-01T00:00:00Z');
/** The id of a job of that day that was not the first. */
const idOf = (day: string) => firstVideoId(new Date(`${day}T12:00:00Z`)).replace(/0$/, '7');
const justBelow = (id: string) => id.replace(/7$/, '6');
/** Less than the id that ends so, and greater than all before it. */
const justBefore = (at: Date) => firstVideoId(at).replace(/0$/, '/');

const listed = (filter: JobFilter) => listingOf('ws-1', filter);

describe('a list of jobs', () => {
  test('is the whole workspace, newest first, where nothing is asked', () => {
    expect(listed({})).toMatchObject({
      index: JOBS_BY_WORKSPACE,
      partition: ['workspace_id', 'ws-1'],
      sortKey: 'id',
      from: 'vid_',
      to: 'vid_{',
      oldestFirst: false,
      where: { model: undefined, key_hash: undefined },
    });
  });

  test('holds every id between its ends', () => {
    const { from, to } = listed({});
    for (const id of [`vid_${'0'.repeat(26)}`, `vid_${'z'.repeat(26)}`]) {
      expect([from < id, id < to]).toEqual([true, true]);
    }
  });

  test('of a status comes from the index of that status', () => {
    expect(listed({ status: 'failed' })).toMatchObject({
      index: JOBS_BY_STATUS,
      partition: ['workspace_status', 'ws-1#failed'],
    });
  });

  test('is of the wanted model and key, in the wanted order', () => {
    expect(listed({ model: 'm', key: 'hash', oldestFirst: true })).toMatchObject({
      where: { model: 'm', key_hash: 'hash' },
      oldestFirst: true,
    });
  });

  test.each<[string, JobFilter, { from?: string; to?: string }]>([
    ['after a job', { after: idOf('2026-02-01') }, { from: `${idOf('2026-02-01')}0` }],
    ['before a job', { before: idOf('2026-02-01') }, { to: justBelow(idOf('2026-02-01')) }],
    ['since a time', { since: JANUARY }, { from: firstVideoId(JANUARY) }],
    ['until a time', { until: MARCH }, { to: justBefore(MARCH) }],
    [
      'after a job later than the time',
      { since: JANUARY, after: idOf('2026-02-01') },
      { from: `${idOf('2026-02-01')}0` },
    ],
    [
      'since a time later than the job',
      { since: MARCH, after: idOf('2026-02-01') },
      { from: firstVideoId(MARCH) },
    ],
    [
      'before a job earlier than the time',
      { until: MARCH, before: idOf('2026-02-01') },
      { to: justBelow(idOf('2026-02-01')) },
    ],
    [
      'until a time earlier than the job',
      { until: JANUARY, before: idOf('2026-02-01') },
      { to: justBefore(JANUARY) },
    ],
  ])('%s is that part', (_, filter, { from = 'vid_', to = 'vid_{' }) => {
    expect(listed(filter)).toMatchObject({ from, to });
  });
});
