import { expect, test } from '@jest/globals';
import { settingsReference } from '../../../lib/stage/reference.ts';

test.each([
  ['dataDiscount', 'a number from 0 to 1'],
  ['endpointCacheSeconds', 'a whole number from 1 to 300'],
  ['generationLogDays', 'a whole number from 1 to 90'],
])('%s takes %s', (name, takes) => {
  const row = settingsReference()
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\` |`));
  expect(row?.split(' | ')[1]).toBe(takes);
});
