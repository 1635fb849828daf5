import { expect, test } from '@jest/globals';
import { isRequestRow, requestAt, requestRow } from '../../../functions/videos/jobs/job-request.ts';
import { aJob, START } from './job-fixture.ts';

test('a request has a row of its own, which stays longer than the job’s', () => {
  const job = aJob({ deadline_at: START.getTime() + 1_999 });
  const row = {
    id: `${job.id}#request`,
    request: job.request,
    expires_at: START.getTime() / 1000 + 1 + 91 * 86_400,
  };
  expect(requestRow(job)).toEqual(row);
  const other_options = { other: { seed: 1 } };
  expect(requestRow({ ...job, other_options })).toEqual({ ...row, other_options });
});

test('the row of a request is told from that of a job', () => {
  expect(isRequestRow(requestRow(aJob()))).toBe(true);
  for (const id of [aJob().id, undefined, 7]) expect(isRequestRow({ id })).toBe(false);
});

test('a provider gets the settings that are for it', () => {
  const request = { ...aJob().request, options: { seed: 1 } };
  const row = { request, other_options: { other: { seed: 2 } } };
  expect(requestAt({ provider: 'other' }, row).options).toEqual({ seed: 2 });
  expect(requestAt({ provider: 'first' }, row)).toBe(request);
  expect(requestAt({}, row)).toBe(request);
  expect(requestAt({ provider: 'other' }, { request })).toBe(request);
});
