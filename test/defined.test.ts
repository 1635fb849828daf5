import { expect, test } from '@jest/globals';
import { defined } from '../functions/defined.ts';

test('a field with a value stays, even if it is null, 0 or empty', () => {
  const members = { a: undefined, b: null, c: 0, d: '', e: false, f: Number.NaN };
  expect(defined(members)).toStrictEqual({ b: null, c: 0, d: '', e: false, f: Number.NaN });
});
