import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { type Call, jsonBody } from '../../functions/http/call.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const callOf = (change: Partial<Call>): Call => ({
  requestId: 'r',
  method: 'POST',
  pattern: '/x',
  headers: { 'content-type': 'application/json' },
  path: {},
  query: {},
  publicUrl: 'https://api.example',
  log: silent,
  warnings: [],
  body: Buffer.from('{}'),
  ...change,
});
const optional = v.object({ hours: v.optional(v.number(), 24) });
const required = v.object({ hours: v.number() });
const nothing = Buffer.alloc(0);

describe('a missing body', () => {
  test('counts as one without fields, if none is required', () => {
    expect(jsonBody(callOf({ body: nothing, headers: {} }), optional)).toEqual({ hours: 24 });
  });

  test.each([
    ['a field is required', { body: nothing }, required],
    ['it must change something', { body: nothing, method: 'PATCH' }, optional],
  ])('is refused because %s', (_, change, schema) => {
    expect(() => jsonBody(callOf(change), schema)).toThrow('The body is empty');
  });
});

test.each(['gzip', 'br', 'deflate, gzip', 'identity, gzip'])(
  'a body in %s is refused, and the error names it',
  (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect(() => jsonBody(callOf({ headers }), optional)).toThrow(
      /^content-encoding: is not supported; send the body uncompressed/,
    );
  },
);

test.each(['', 'identity', 'Identity '])('a body in %j is read', (encoding) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  expect(jsonBody(callOf({ headers }), optional)).toEqual({ hours: 24 });
});

test('a misspelt field is among the warnings of the request', () => {
  const call = callOf({ body: Buffer.from('{"hour":1,"hours":null}') });
  expect(jsonBody(call, optional)).toEqual({ hours: 24 });
  expect(call.warnings).toEqual(['hour is not a field of this operation; did you mean hours?']);
});
