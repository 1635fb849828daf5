import { expect, test } from '@jest/globals';
import { defined } from '../functions/defined.ts';

test('what has a value stays, be it null, 0 or empty', () => {
  const members = { a: undefined, b: null, c: 0, d: '', e: false, f: Number.NaN };
  expect(defined(members)).toStrictEqual({ b: null, c: 0, d: '', e: false, f: Number.NaN });
});
