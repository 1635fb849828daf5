import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { jsonObjectSchema } from '../../../functions/videos/catalogue/requested-video.ts';

test('every JSON object passes, and stays as it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const own = JSON.parse(JSON.stringify(object));
      // An object with this name as a field of its own is not what valibot calls a record.
      fc.pre(!JSON.stringify(own).includes('"__proto__":'));
      fc.pre(!/"(prototype|constructor)":/.test(JSON.stringify(own)));
      expect(v.parse(jsonObjectSchema, own)).toEqual(own);
    }),
  );
});

test.each([
  ['text', 'a'],
  ['nothing', null],
  ['a function within', { a: [{ b: () => 1 }] }],
  ['undefined within', { a: [undefined] }],
  ['a BigInt within', { a: { b: 1n } }],
])('%s is not a JSON object', (_, value) => {
  expect(v.is(jsonObjectSchema, value)).toBe(false);
});
