import { describe, expect, test } from '@jest/globals';
import type { Hold } from '../../../functions/money/hold.ts';
import { micros } from '../../../functions/money/micros.ts';
import { eachInterval } from '../../../functions/money/period.ts';
import { salvageJob } from '../../../functions/videos/jobs/salvage-job.ts';
import { aJob } from './job-fixture.ts';

const hold: Hold = {
  account: 'KEY#hash',
  micros: micros(5),
  counts_byok: true,
  periods: eachInterval(() => '2026'),
};

describe('a row', () => {
  test('that is sound is read as it is', () => {
    expect(salvageJob(aJob())).toEqual({ job: aJob(), unread: [] });
  });

  test('that is damaged is shown as far as it can be read, and nobody works on it', () => {
    const { job, unread } = salvageJob({ ...aJob(), model: 7, history: [{}], due_at: 'soon', error: 1 });
    expect(unread.toSorted()).toEqual(['due_at', 'error', 'history.0.at', 'history.0.status', 'model']);
    const { error: _, ...sound } = aJob();
    expect(job).toEqual({ ...sound, model: 'unknown', history: [], due_at: 0, phase: 'settled' });
  });

  test('of which nothing but its id can be read is a job of nobody’s, from long ago', () => {
    const { job } = salvageJob({ id: 'vid_1' });
    const at = '1970-01-01T00:00:00.000Z';
    expect(job).toEqual({
      id: 'vid_1',
      workspace_id: 'unknown',
      key_hash: 'unknown',
      model: 'unknown',
      estimate_micros: 0,
      is_byok: false,
      alternatives: [],
      holds: [],
      public_url: '',
      status: 'in_progress',
      phase: 'settled',
      seq: 0,
      link: '',
      step: '',
      submits: 0,
      polls: 0,
      due_at: 0,
      sweeps: 0,
      deadline_at: 0,
      unusable_copies: 0,
      history: [],
      created_at: at,
      updated_at: at,
    });
  });

  test('keeps those of its holds that can be read', () => {
    const holdsOf = (holds: unknown) => salvageJob({ ...aJob(), holds }).job.holds;
    expect(holdsOf([hold, { account: 1 }, { of: 'somebody', micros: 1 }])).toEqual([hold]);
    expect(holdsOf('none')).toEqual([]);
  });
});
