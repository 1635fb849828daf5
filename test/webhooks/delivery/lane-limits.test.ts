import { expect, test } from '@jest/globals';
import { laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';

test.each([
  [2, { workspace: 1, host: 1 }],
  [3, { workspace: 1, host: 1 }],
  [10, { workspace: 3, host: 2 }],
  [50, { workspace: 16, host: 8 }],
  [57, { workspace: 19, host: 10 }],
  [1000, { workspace: 333, host: 10 }],
])('of %i deliverers a workspace has %j', (deliverers, limits) => {
  expect(laneLimits(deliverers)).toEqual(limits);
});
