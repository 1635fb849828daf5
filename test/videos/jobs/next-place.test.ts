import { expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { nextPlace } from '../../../functions/videos/jobs/job-machine.ts';
import { aJob } from './job-fixture.ts';

const at = (endpoint: string) => ({
  endpoint,
  provider: `provider of ${endpoint}`,
  estimate_micros: micros(5),
  is_byok: false,
});
const tried = (endpoint: string) => ({ ...at(endpoint), tried: true });
const { endpoint: _, provider: __, ...ofAnOlderVersion } = aJob();

test.each<[string, Partial<Job>, boolean, Partial<Job>]>([
  [
    'comes back after all others',
    { ...aJob(), ...at('a'), alternatives: [at('b'), tried('c')] },
    false,
    { ...at('b'), tried: false, alternatives: [tried('c'), tried('a')] },
  ],
  [
    'does not come back where it must not',
    { ...aJob(), ...at('a'), alternatives: [tried('b'), at('c')] },
    true,
    { ...tried('b'), alternatives: [at('c')] },
  ],
  ['stays where there is no other', { ...aJob(), ...at('a') }, false, {}],
  [
    'does not come back to a place that its row does not name',
    { ...ofAnOlderVersion, alternatives: [at('b')] },
    false,
    { ...at('b'), tried: false, alternatives: [] },
  ],
  [
    'does not come back to an offer of no known provider',
    { ...ofAnOlderVersion, endpoint: 'a', alternatives: [at('b')] },
    false,
    { ...at('b'), tried: false, alternatives: [] },
  ],
])('a job that moves on %s', (_, job, isForGood, changes) => {
  expect(nextPlace({ ...ofAnOlderVersion, ...job }, isForGood)).toEqual(changes);
});
