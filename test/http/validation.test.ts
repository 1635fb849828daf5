import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { characters, timestamp, validate, wholeNumber } from '../../functions/http/validation.ts';

describe('a refusal', () => {
  const schema = v.object({ a: v.object({ b: v.array(v.number()) }) });

  test.each([
    [{}, 'a: is required', 'a'],
    [{ a: {} }, 'a.b: is required', 'a.b'],
    [{ a: 1 }, 'a: must be an object', 'a'],
    [{ a: { b: [1, 'x'] } }, 'a.b.1: must be a number', 'a.b.1'],
  ])('of %j names the field and the rule', (input, message, path) => {
    expect(() => validate(schema, input)).toThrow(new InvalidRequest(message));
    try {
      validate(schema, input);
    } catch (error) {
      expect(error).toMatchObject({ metadata: { path } });
    }
  });

  test.each([
    [{}, 'a: is required'],
    [{ a: 1, b: 2 }, 'b: is not a known field'],
  ])('of %j names the field of an object that may have no others', (input, message) => {
    expect(() => validate(v.strictObject({ a: v.number() }), input)).toThrow(new InvalidRequest(message));
  });

  test('of an unknown field lists the known ones, and a suggestion', () => {
    const limits = v.strictObject({ upload: v.optional(v.number()), read: v.optional(v.number()) });
    const schema = v.object({ list: v.array(v.object({ limits })) });
    const refused = expect.objectContaining({
      message: 'list.0.limits.uploads: is not a known field; did you mean upload?',
      metadata: { path: 'list.0.limits.uploads', supported: ['upload', 'read'] },
    });
    expect(() => validate(schema, { list: [{ limits: { uploads: 1 } }] })).toThrow(refused);
  });

  test.each([
    [{ ratio: '16x9' }, 'ratio', 'ratio: must be one; did you mean 16:9?'],
    [{ ratio: 'square' }, 'ratio', 'ratio: must be one'],
    [{ ratio: 169 }, 'ratio', 'ratio: must be one'],
    [{ list: [{ ratio: '9-16' }] }, 'list.0.ratio', 'list.0.ratio: must be one; did you mean 9:16?'],
  ])('of %j lists the valid values, and a suggestion', (input, path, message) => {
    const ratio = v.exactOptional(v.picklist(['16:9', '9:16'], 'must be one'));
    const listing = v.object({ ratio, list: v.optional(v.array(v.object({ ratio })), []) });
    const refused = expect.objectContaining({
      message,
      metadata: { path, supported: ['16:9', '9:16'] },
    });
    expect(() => validate(listing, input)).toThrow(refused);
  });

  test.each([
    [v.pipe(v.number(), v.integer()), 1.5, 'must be a whole number'],
    [v.pipe(v.number(), v.safeInteger()), 2 ** 53, 'must be a whole number below 2^53'],
    [v.pipe(v.number(), v.minValue(1)), 0, 'must be at least 1'],
    [v.pipe(v.number(), v.maxValue(9)), 10, 'must be at most 9'],
    [v.pipe(v.array(v.number()), v.minLength(1)), [], 'must have at least 1 item'],
    [v.pipe(v.string(), v.maxLength(2)), 'abc', 'must have at most 2 characters'],
    [v.picklist(['first', 'last']), 'both', 'must be one of first, last'],
    [v.picklist([1, 2]), 3, 'must be one of 1, 2'],
    [v.pipe(v.string(), v.isoDate()), 'today', 'must be a date, such as 2030-01-31'],
    [v.pipe(v.string(), v.url()), 'example', 'must be a URL'],
    [v.pipe(v.string(), v.uuid()), 'x', 'must be a UUID'],
  ])('states a rule for which its schema has no message: %#', (rule, input, message) => {
    expect(() => validate(v.object({ a: rule }), { a: input })).toThrow(`a: ${message}`);
  });

  test.each([
    [1, 'a: must be an object'],
    [{ type: 'clip' }, 'a.type: must be one of image, audio'],
    [{}, 'a.type: must be one of image, audio'],
    [{ type: 'image' }, 'a.image: '],
  ])('says which field decides between shapes: %j', (input, message) => {
    const shapes = ['image', 'audio'].map((type) => v.object({ type: v.literal(type), [type]: v.string() }));
    expect(() => validate(v.object({ a: v.variant('type', shapes) }), { a: input })).toThrow(message);
  });

  test('of the whole body names no field', () => {
    expect(() => validate(schema, 1)).toThrow(new InvalidRequest('Must be an object'));
  });
});

describe('characters', () => {
  test.each([
    ['a', 1, 1],
    ['👩‍🚀', 3, 3],
    ['', 0, 5],
  ])('counts %j as a reader does', (text, min, max) => {
    expect(validate(characters(min, max), text)).toBe(text);
  });

  test('states both limits, or the upper one if there is no lower', () => {
    expect(() => validate(characters(1, 3), 'abcd')).toThrow('Must be 1 to 3 characters');
    expect(() => validate(characters(0, 3), 'abcd')).toThrow('Must be at most 3 characters');
  });
});

describe('a whole number in a query', () => {
  test.each([
    ['0', 0],
    ['99', 99],
    ['007', 7],
  ])('may be %s', (text, number) => {
    expect(validate(wholeNumber(0, 99, 'How many'), text)).toBe(number);
  });

  test.each(['', '-1', '100', '1.5', '1e1', ' 1', '0x1', '9999999999', 'NaN'])('may not be %j', (text) => {
    expect(() => validate(wholeNumber(0, 99, 'How many'), text)).toThrow(
      'Must be a whole number from 0 to 99',
    );
  });
});

describe('a timestamp', () => {
  test.each([
    ['2030-01-31T00:00:00Z', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T01:00:00.5+01:00', '2030-01-31T00:00:00.500Z'],
    ['2032-02-29T23:00:00-02:00', '2032-03-01T01:00:00.000Z'],
  ])('%s is kept in UTC', (text, kept) => {
    expect(validate(timestamp, text)).toBe(kept);
  });

  test.each([
    '2030-01-31',
    '2030-01-31T00:00:00',
    'tomorrow',
    '2030-13-01T00:00:00Z',
    '2030-02-29T00:00:00Z',
    '2030-04-31T12:00:00+02:00',
    1,
  ])('is not %j', (text) => {
    expect(() => validate(timestamp, text)).toThrow('ISO 8601');
  });
});
