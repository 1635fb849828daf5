import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { parseJsonBody } from '../../functions/http/json-body.ts';
import { mutatedBytes } from '../any-bytes.ts';

const SEEDS = [
  '{}',
  '{"model":"google/veo-3.1","prompt":"Waves","duration":8,"seed":-0}',
  '{"metadata":{"a":"b"},"frame_images":[{"image_url":{"url":"https://a.com/"}}]}',
  ' {"a":[1,-0.5e+3,true,false,null,"\\u00e9\\n\\"",[],{}]}\r\n',
  '{"\\u0061":{"__proto__":{"b":1}},"b":"日本語"}',
  '[{"a":1}]',
  '"text"',
  '',
].map((text) => Buffer.from(text));

const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '{"a":',
    '"__proto__":',
    '"\\u005f_proto__":',
    '\\u0061',
    '\\',
    '\\"',
  ],
  ...[
    'null',
    'true',
    '-0',
    '1e400',
    '1E-7',
    '0.1',
    '9007199254740993',
    'NaN',
    '\\ud800',
    '[[[[[[[[',
    ']]]]]]]]',
  ],
  ...['\xef\xbb\xbf', '\xc3\xa9', '\xed\xa0\x80', '\xf4\x8f\xbf\xbf', '\n', '\t', '\x0b', '\xc2\xa0', '/*'],
];

const parse = (bytes: Buffer) => parseJsonBody(bytes, 'application/json');

test('any body is refused as a bad request, or read as the object that JSON.parse returns', () => {
  fc.assert(
    fc.property(mutatedBytes(SEEDS, TOKENS), (bytes) => {
      const text = bytes.toString();
      let value: Record<string, unknown>;
      try {
        value = parse(bytes);
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error;
        // These two messages are only right if JSON.parse fails too. Other refusals have other reasons.
        if (/does not parse|is empty/.test(error.message)) expect(() => JSON.parse(text)).toThrow();
        return;
      }
      // The body is UTF-8.
      expect(Buffer.from(text)).toEqual(bytes);
      expect(value).toEqual(JSON.parse(text, (name, inner) => (name === '__proto__' ? undefined : inner)));
      const written = JSON.stringify(value);
      expect(JSON.stringify(parse(Buffer.from(written)))).toBe(written);
    }),
    { numRuns: 10_000 },
  );
});
