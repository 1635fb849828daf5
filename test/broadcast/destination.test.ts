import { describe, expect, test } from '@jest/globals';
import { destinationSchema, MASK } from '../../functions/broadcast/destination.ts';
import { describeBroadcast } from '../../functions/broadcast/shown-destination.ts';
import { validate } from '../../functions/http/validation.ts';
import { aDestination } from './ended-event.ts';

const url = 'https://traces.genway.dev/v1/traces';
const take = (headers: unknown) => validate(destinationSchema, { url, headers }).headers;
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']));

describe('the headers of a destination', () => {
  test.each<[string, unknown, object]>([
    ['none', undefined, {}],
    ['lower case', { 'X-Honeycomb-Team': 'abc' }, { 'x-honeycomb-team': 'abc' }],
    ['a value with spaces', { authorization: 'Basic  dXNlcjpw=' }, { authorization: 'Basic  dXNlcjpw=' }],
    ['the longest value', { 'x-a': 'v'.repeat(2048) }, { 'x-a': 'v'.repeat(2048) }],
    ['the longest name', { ['n'.repeat(64)]: 'v' }, { ['n'.repeat(64)]: 'v' }],
    ['twenty', many(20), many(20)],
    [
      '4096 bytes',
      { a: 'v'.repeat(2041), b: 'v'.repeat(2040) },
      { a: 'v'.repeat(2041), b: 'v'.repeat(2040) },
    ],
  ])('%s', (_, headers, taken) => {
    expect(take(headers)).toEqual(taken);
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', ['a'], /must be an object/],
    ['a value that is not text', { 'x-a': 1 }, /visible ASCII/],
    ['an empty value', { 'x-a': '' }, /visible ASCII/],
    ['a value of two lines', { 'x-a': 'a\r\nx-b: c' }, /visible ASCII/],
    ['a value that begins with a space', { 'x-a': ' a' }, /visible ASCII/],
    ['a value that ends with one', { 'x-a': 'a ' }, /visible ASCII/],
    ['a value beyond ASCII', { 'x-a': 'ä' }, /visible ASCII/],
    ['a value that is too long', { 'x-a': 'v'.repeat(2049) }, /visible ASCII/],
    ['an empty name', { '': 'v' }, /token/],
    ['a name with a colon', { 'x:a': 'v' }, /token/],
    ['a name that is too long', { ['n'.repeat(65)]: 'v' }, /token/],
    ['a header that the request sets itself', { 'Content-Type': 'text/plain' }, /must not be one of/],
    ['the host', { host: 'inside' }, /must not be one of/],
    ['one name twice', { 'x-a': '1', 'X-A': '2' }, /twice/],
    ['the mask that answers show instead of a value', { 'x-a': MASK }, /the value itself/],
    ['too many headers', many(21), /at most 20/],
    ['headers with too many bytes', { a: 'v'.repeat(2041), b: 'v'.repeat(2041) }, /4096 bytes/],
  ])('refused: %s', (_, headers, rule) => {
    expect(() => take(headers)).toThrow(rule);
  });

  test('are shown only by their names', () => {
    const stored = aDestination({ header_names: ['x-a', 'x-b'], ciphertext: 'AAAA', updated_at: 'now' });
    expect(describeBroadcast(stored, true)).toEqual({
      url,
      headers: { 'x-a': MASK, 'x-b': MASK },
      enabled: true,
      updated_at: 'now',
    });
    expect(describeBroadcast(undefined, false)).toEqual({
      url: null,
      headers: {},
      enabled: false,
      updated_at: null,
    });
  });
});
