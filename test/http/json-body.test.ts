import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { JSON_BODY_LIMIT, parseJsonBody } from '../../functions/http/json-body.ts';

const parse = (text: string, type = 'application/json') => parseJsonBody(Buffer.from(text), type);
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a JSON body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;x=y'])(
    'may be %s',
    (type) => {
      expect(parse('{"a":1}', type)).toEqual({ a: 1 });
    },
  );

  test.each([undefined, '', 'text/json', 'application/jsonp', 'text/plain'])('may not be %p', (type) => {
    expect(() => parseJsonBody(Buffer.from('{}'), type)).toThrow(/application\/json/);
  });

  test.each(['', ' ', '[]', 'null', '1', '"a"', '{', '{"a":1}x', '\uFEFF{}', "{'a':1}"])(
    'may not be %p',
    (text) => {
      expect(() => parse(text)).toThrow(InvalidRequest);
    },
  );

  test('must be UTF-8', () => {
    expect(() => parseJsonBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json')).toThrow(
      'UTF-8',
    );
  });

  test('may be as large as the limit and not a byte larger', () => {
    const filled = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(parse(filled(JSON_BODY_LIMIT)).a).toHaveLength(JSON_BODY_LIMIT - 8);
    expect(() => parse(filled(JSON_BODY_LIMIT + 1))).toThrow(`at most ${JSON_BODY_LIMIT} bytes`);
  });

  test('may nest 32 levels and not one more; brackets in strings do not count', () => {
    expect(parse(nested(32))).toHaveProperty('a');
    expect(() => parse(nested(33))).toThrow('32 levels');
    expect(parse(`{"a":"\\"${'['.repeat(100)}"}`)).toHaveProperty('a');
    expect(() => parse('['.repeat(500_000))).toThrow('32 levels');
  });

  test('cannot change the prototype of anything', () => {
    const body = parse('{"__proto__":{"admin":true}}');
    expect(body.admin).toBeUndefined();
    expect({}).not.toHaveProperty('admin');
  });

  test('is what JSON.parse says or a refusal, whatever the bytes', () => {
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
});
