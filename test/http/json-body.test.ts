import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { JSON_BODY_LIMIT, parseJsonBody } from '../../functions/http/json-body.ts';
import { type JsonDocument, NOT_JSON, NOT_UTF8, OBJECTS, OTHER_VALUES } from './json-documents.ts';

const parse = (text: string, type = 'application/json') => parseJsonBody(Buffer.from(text), type);
const named = (documents: readonly JsonDocument[]) =>
  documents.map(({ name, bytes }): [string, Uint8Array] => [name, bytes]);

describe('the content type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8; x=y',
  ])('may be %s', (type) => {
    expect(parse('{"a":1}', type)).toEqual({ a: 1 });
  });

  test.each([
    undefined,
    '',
    'json',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/json, application/json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('may not be %p', (type) => {
    expect(() => parseJsonBody(Buffer.from('{}'), type)).toThrow(
      /^The body must be JSON in UTF-8\. .*content-type: application\/json$/,
    );
    expect(() => parseJsonBody(Buffer.from('{}'), type)).toThrow(
      expect.objectContaining({ metadata: { path: 'content-type' } }),
    );
  });
});

describe('a body', () => {
  test.each(named(OBJECTS))('that is %s is accepted', (_, bytes) => {
    const withoutPrototypes = (key: string, value: unknown) => (key === '__proto__' ? undefined : value);
    expect(parseJsonBody(bytes, 'application/json')).toEqual(
      JSON.parse(Buffer.from(bytes).toString(), withoutPrototypes),
    );
  });

  test.each(named(OTHER_VALUES))('that is %s is refused as no object', (_, bytes) => {
    expect(() => parseJsonBody(bytes, 'application/json')).toThrow(
      new InvalidRequest('The body must be one JSON object'),
    );
  });

  test.each(named(NOT_JSON))('that is %s is refused as no JSON', (_, bytes) => {
    expect(() => parseJsonBody(bytes, 'application/json')).toThrow(
      /^The body is (empty|not valid JSON); it must be one JSON object$/,
    );
  });

  test.each(named(NOT_UTF8))('that is %s is refused as not UTF-8', (_, bytes) => {
    expect(() => parseJsonBody(bytes, 'application/json')).toThrow(/^The body must be UTF-8$/);
  });

  test('may be as large as the limit and not a byte larger', () => {
    const filled = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(parse(filled(JSON_BODY_LIMIT)).a).toHaveLength(JSON_BODY_LIMIT - 8);
    expect(() => parse(filled(JSON_BODY_LIMIT + 1))).toThrow(`at most ${JSON_BODY_LIMIT} bytes`);
    expect(parseJsonBody(Buffer.from(filled(20)), 'application/json', 20)).toHaveProperty('a');
    expect(() => parseJsonBody(Buffer.from(filled(21)), 'application/json', 20)).toThrow('at most 20 bytes');
  });

  test.each(['__proto__', '\\u005f_proto__', '__proto\\u005f_'])(
    'cannot change the prototype of anything with %s',
    (name) => {
      const body = parse(`{"${name}":{"admin":true},"a":{"${name}":{"admin":true}},"b":1}`);
      expect(body).toStrictEqual({ a: {}, b: 1 });
      expect({ ...body, ...Object.assign({}, body.a) }).not.toHaveProperty('admin');
      expect({}).not.toHaveProperty('admin');
    },
  );

  test('is parsed without a callback for each value, whatever its names', () => {
    const spy = jest.spyOn(JSON, 'parse');
    try {
      expect(parse('{"\\u0061":[{"__proto__":1},{"b":[]}]}')).toStrictEqual({ a: [{}, { b: [] }] });
      const revivers = spy.mock.calls.filter(([, reviver]) => reviver !== undefined);
      expect(revivers).toEqual([]);
    } finally {
      spy.mockRestore();
    }
  });

  test('equals the result of JSON.parse or is refused, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          expect(parseJsonBody(bytes, 'application/json')).toEqual(JSON.parse(Buffer.from(bytes).toString()));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest);
        }
      }),
    );
  });

  test('of any object is read unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(JSON.stringify(parse(text))).toBe(text);
      }),
    );
  });
});
