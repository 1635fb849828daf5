import { describe, expect, test } from '@jest/globals';
import type { Call } from '../../../functions/http/call.ts';
import { isOpenaiSubmit, withJsonBody } from '../../../functions/videos/dialect/openai-submit.ts';

const FORM = 'multipart/form-data; boundary=b';
const PART = '--b\r\ncontent-disposition: form-data; name=prompt\r\n\r\nA fox\r\n--b--';

const submit = (headers: Record<string, string>, body = ''): Call => ({
  requestId: 'r',
  method: 'POST',
  pattern: '/videos',
  headers,
  path: {},
  query: {},
  publicUrl: 'https://api.example',
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  warnings: [],
  body: Buffer.from(body),
});

test.each([
  [{ 'content-type': 'application/json' }, false],
  [{ 'content-type': FORM }, true],
  [{ 'content-type': 'application/json', 'user-agent': 'OpenAI/JS 7.55.0' }, true],
  [{ 'content-type': FORM, 'user-agent': 'curl/8.5.0' }, true],
  [{}, false],
])('a submit with %j is one of OpenAI’s clients: %s', (headers, expected) => {
  expect(isOpenaiSubmit(submit(headers))).toBe(expected);
});

describe('a submit', () => {
  test('of JSON stays as it is', () => {
    const json = submit({ 'content-type': 'application/json' }, '{}');
    expect(withJsonBody(json, 1)).toBe(json);
  });

  test('in a form becomes the JSON that it means', () => {
    const form = submit({ 'content-type': FORM, 'user-agent': 'curl/8.5.0' }, PART);
    const { headers, body, ...rest } = withJsonBody(form, PART.length);
    expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' });
    expect(Buffer.from(body).toString()).toBe('{"prompt":"A fox"}');
    // It is the same list, so later warnings reach the caller too.
    expect(rest.warnings).toBe(form.warnings);
  });

  test.each([
    ['larger than it may be', { 'content-type': FORM }, PART.length - 1, /at most \d+ bytes/],
    ['packed', { 'content-type': FORM, 'content-encoding': 'gzip' }, PART.length, /^content-encoding: /],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, PART.length, /boundary/],
  ])('in a form that is %s is refused', (_, headers, limit, message) => {
    expect(() => withJsonBody(submit(headers, PART), limit)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(message) }),
    );
  });
});
