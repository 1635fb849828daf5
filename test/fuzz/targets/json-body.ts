import assert from 'node:assert/strict';
import { InvalidRequest } from '../../../functions/http/errors.ts';
import { parseJsonBody } from '../../../functions/http/json-body.ts';

export const JSON_SEEDS = [
  '{}',
  '{"model":"google/veo-3.1","prompt":"Waves","duration":8,"seed":-0}',
  '{"metadata":{"a":"b"},"frame_images":[{"image_url":{"url":"https://a.com/"}}]}',
  ' {"a":[1,-0.5e+3,true,false,null,"\\u00e9\\n\\"",[],{}]}\r\n',
  '{"\\u0061":{"__proto__":{"b":1}},"b":"日本語"}',
  '[{"a":1}]',
  '"text"',
  '',
].map((text) => Buffer.from(text));

/**
 * Any body must be refused as a bad request, or read as the same object that JSON.parse returns. Writing and reading
 * that object again must not change it.
 */
export function checkJsonBody(bytes: Buffer): void {
  const text = bytes.toString();
  let value: Record<string, unknown>;
  try {
    value = parseJsonBody(bytes, 'application/json');
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    // These two messages are only right if JSON.parse fails too. Other refusals have other reasons.
    if (/does not parse|is empty/.test(error.message)) assert.throws(() => JSON.parse(text));
    return;
  }
  assert(Buffer.from(text).equals(bytes), 'the body is not UTF-8');
  const expected: unknown = JSON.parse(text, (name, inner) => (name === '__proto__' ? undefined : inner));
  assert.deepEqual(value, expected);
  const written = JSON.stringify(value);
  assert.equal(JSON.stringify(parseJsonBody(Buffer.from(written), 'application/json')), written);
}
