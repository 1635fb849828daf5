import { expect, test } from '@jest/globals';
import { resultLinks } from '../../../functions/videos/results/result-links.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

const role = { region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
const DAY = 86_400_000;
const outputs = ['one', 'two'].map((key) => ({ key, size_bytes: 1, sha256: '00' }));

test.each([
  ['that has no results', 0, undefined, undefined],
  ['with results', DAY - 1, outputs, ['/results/one', '/results/two']],
  ['whose results are gone', DAY, outputs, undefined],
])('the links of a job %s', async (_, milliseconds, made, expected) => {
  const job = { ...aJob(), completed_at: START.toISOString(), kept_days: 1 as const };
  const now = new Date(START.getTime() + milliseconds);
  const place = { role: { ...role, endpoint: 'http://127.0.0.1:1' }, bucket: 'results' };
  const links = await resultLinks({ ...job, ...(made && { outputs: made }) }, place, now);
  expect(links?.map((link) => new URL(link).pathname)).toEqual(expected);
});
