import { expect, test } from '@jest/globals';
import { statusOf } from '../../../console/catalogue/offer-status.ts';

const now = new Date('2030-06-15T12:00:00Z');

test.each([
  ['is called', {}, 'available', 'available'],
  ['does not answer', {}, 'resting', 'resting'],
  ['has no key here', {}, undefined, 'not configured'],
  ['was paused', { paused: true }, 'available', 'paused'],
  ['ends within 30 days', { eol_at: '2030-07-15' }, 'available', 'retiring'],
  ['ends later', { eol_at: '2030-07-17' }, 'available', 'available'],
  ['ends soon and does not answer', { eol_at: '2030-07-01' }, 'resting', 'resting'],
  ['has ended', { eol_at: '2030-06-15', paused: true }, 'available', 'retired'],
] as const)('an endpoint that %s', (_, offer, serving, status) => {
  expect(statusOf({ id: 'a/b', paused: false, ...offer }, serving, now)).toBe(status);
});
