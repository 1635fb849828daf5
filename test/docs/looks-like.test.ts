import { expect, test } from '@jest/globals';
import { looksLike } from './looks-like.ts';

test.each([
  ['{"a":1}', '{"a":1}', true],
  ['{"a":1}', '{"a":2}', false],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['{"a":1, …}', '{"a":1,"b":2}', true],
  ['{"a":1, …}', '{"b":2}', false],
  ['{"id":"vid_…"}', '{"id":"vid_01"}', true],
  ['{"id":"vid_…"}', '{"id":"gen_01"}', false],
  ['{"id":"a.c"}', '{"id":"abc"}', false],
  ['[1, 2, …]', '[1,2,3,4]', true],
  ['[1, 2, …]', '[1]', false],
  ['[1, 2]', '[1,2,3]', false],
  ['{"a":{"b":null}}', '{"a":{"b":null}}', true],
  ['{"a":{"b":null}}', '{"a":{}}', false],
])('%s is how %s is shown: %s', (shown, printed, expected) => {
  expect(looksLike(shown, printed)).toBe(expected);
});
