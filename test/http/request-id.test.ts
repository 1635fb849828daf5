import { expect, test } from '@jest/globals';
import { requestId } from '../../functions/http/headers.ts';

test.each(['a', '!~', 'x'.repeat(128)])('a caller’s id %j is kept', (id) => {
  expect(requestId(id, 'ours')).toBe(id);
});

test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\nb', 'é', '\u001b[31m'])(
  'a caller’s id %j is replaced',
  (id) => {
    expect(requestId(id, 'ours')).toBe('ours');
  },
);
