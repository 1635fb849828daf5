import { expect, test } from '@jest/globals';
import type { MakeLink } from '../../../functions/downloads/links.ts';
import { resultLinks } from '../../../functions/videos/jobs/job-view.ts';
import { aJob, START } from './job-fixture.ts';

const makeLink: MakeLink = async ({ key, goneAt }, now, seconds) => ({
  url: `${key} for ${seconds} s, until ${goneAt?.getTime()}`,
  expiresAt: now,
});
const DAY = 86_400_000;
const outputs = ['one', 'two'].map((key) => ({ key, size_bytes: 1, sha256: '00' }));

test.each([
  ['that has no results', 0, undefined, undefined],
  [
    'with results',
    DAY - 1,
    outputs,
    ['one', 'two'].map((key) => `${key} for 3600 s, until ${START.getTime() + DAY}`),
  ],
  ['whose results are gone', DAY, outputs, undefined],
])('the links of a job %s', async (_, milliseconds, made, expected) => {
  const job = { ...aJob(), completed_at: START.toISOString(), kept_days: 1 as const };
  const now = new Date(START.getTime() + milliseconds);
  const links = await resultLinks({ ...job, ...(made && { outputs: made }) }, makeLink, now);
  expect(links).toEqual(expected);
});
