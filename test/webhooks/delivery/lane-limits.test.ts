import { expect, test } from '@jest/globals';
import { laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';

test.each([
  [2, { workspace: 1, host: 1 }],
  [10, { workspace: 5, host: 3 }],
  [38, { workspace: 19, host: 10 }],
  [50, { workspace: 25, host: 10 }],
  [1000, { workspace: 500, host: 10 }],
])('of %i deliverers a workspace has %j', (deliverers, limits) => {
  expect(laneLimits(deliverers)).toEqual(limits);
});
