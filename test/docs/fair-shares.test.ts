import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  DRAIN,
  EXTRA_DELIVERIES,
  HELD_POLLS,
  INPUT_MILLISECONDS,
  LONG_COPY,
  placesOfWorkspace,
  RESULT_PACE,
  SIGN_INS_PER_MINUTE,
  UNAUTHENTICATED,
  UPLOAD_PACE,
  UPLOAD_PLACES,
} from '../../functions/fair-shares.ts';
import { COPY_MILLISECONDS } from '../../functions/videos/worker/copy-job.ts';
import {
  COMPANY_MILLISECONDS,
  LONGEST_REST_MILLISECONDS,
  REMEMBERED_MILLISECONDS,
  REST_PER_WAIT,
  SLOW_MILLISECONDS,
} from '../../functions/videos/worker/slow-polls.ts';
import { RECOVERED_AT_ONCE } from '../../functions/webhooks/events/redeliver-event.ts';
import { stageConfig } from '../../lib/stage/config.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/fair-shares.md'), 'utf8');
const { requestsPerMinute, addressRequestsPerMinute } = stageConfig('prod');
const { redeliver, recover } = EXTRA_DELIVERIES;

test.each([
  `for up to 20 s | ${HELD_POLLS} |`,
  `of which ${HELD_POLLS} hold ${(HELD_POLLS * 20) / 60} functions`,
  `because each asks it | ${SIGN_INS_PER_MINUTE} |`,
  `| uploads a minute | ${requestsPerMinute.upload} |`,
  `| video submissions a minute | ${requestsPerMinute.submit} |`,
  `its own files and jobs | ${requestsPerMinute.read} |`,
  `credits, webhooks | ${requestsPerMinute.admin} |`,
  `\`prod\`: ${addressRequestsPerMinute?.toLocaleString('en')}, in us-east-1`,
  `"Limit":${addressRequestsPerMinute},`,
  `| a quarter: ${placesOfWorkspace(UPLOAD_PLACES)} | ${UPLOAD_PLACES};`,
  `at least ${UPLOAD_PACE.bytesPerSecond / 1024} KiB a second`,
  `| ${DRAIN.known.bytes / 1024 ** 2} MiB or ${DRAIN.known.milliseconds / 1000} s,`,
  `| ${DRAIN.unknown.bytes / 1024} KiB or ${DRAIN.unknown.milliseconds / 1000} s |`,
  `| ${UNAUTHENTICATED.perMinute} for each server |`,
  `they occupy a submitter | ${INPUT_MILLISECONDS / 1000} s together |`,
  `it occupies a copier | fast enough to arrive within ${COPY_MILLISECONDS / 60_000} minutes, or at least ${RESULT_PACE.bytesPerSecond / 1024} KiB a second on the whole if its length is unknown, after a minute; one that is slower is copied again from its start ${RESULT_PACE.restSeconds / 60} minutes later`,
  `| copies at once that take more than ${LONG_COPY.afterMilliseconds / 1000} s |`,
  `one without room is copied again ${LONG_COPY.restSeconds / 60} minutes later`,
  `| a sixth for polls of one provider that take longer than ${SLOW_MILLISECONDS / 1000} s,`,
  `After a poll of more than ${SLOW_MILLISECONDS / 1000} s the next ones to that provider wait ${REST_PER_WAIT} times as long as it took, at most ${LONGEST_REST_MILLISECONDS / 1000} s.`,
  `seen it within the last ${COMPANY_MILLISECONDS / 1000} s.`,
  `had slow polls within ${REMEMBERED_MILLISECONDS / 1000} s, only its polls wait`,
  `${UNAUTHENTICATED.addresses.toLocaleString('en')} addresses`,
  `by all keys together | ${redeliver} |`,
  `${RECOVERED_AT_ONCE} events each | ${recover} |`,
  `${redeliver} redeliveries and ${(recover * RECOVERED_AT_ONCE).toLocaleString('en')} recovered events`,
])('docs/fair-shares.md says what holds: %s', (words) => {
  expect(page).toContain(words);
});

test.each([
  [1, 1],
  [3, 1],
  [4, 1],
  [7, 1],
  [8, 2],
  [12, 3],
])('of %i slots a workspace has %i', (places, share) => {
  expect(placesOfWorkspace(places)).toBe(share);
});
