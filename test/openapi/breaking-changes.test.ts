import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openApiJson } from '../../functions/openapi/text.ts';
import { breakingChanges } from './breaking-changes.ts';

const RELEASED = join(import.meta.dirname, '../../docs/openapi.released.yaml');

test('nothing that the last release described is broken; `npm run openapi:release` is for a new major version', () => {
  expect(breakingChanges(parse(readFileSync(RELEASED, 'utf8')), JSON.parse(openApiJson()))).toEqual([]);
});

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const string = { type: 'string' };

/** A description with one operation. */
const described = ({
  body = object({ name: string }, ['name']) as object,
  answer = object({ id: string }, ['id']) as object,
  ...more
}: {
  readonly [part: string]: unknown;
  readonly body?: object;
  readonly answer?: object;
} = {}) => ({
  paths: {
    '/things': {
      post: {
        security: [],
        parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } }],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 200: { content: { 'application/json': { schema: answer } } }, 400: {} },
        ...more,
      },
    },
  },
});
const limit = (parameter: object) => ({ parameters: [{ in: 'query', name: 'limit', ...parameter }] });

describe('a client is broken by', () => {
  test.each<[string, object, string]>([
    ['a removed operation', { paths: {} }, 'POST /things is gone'],
    [
      'a key that was not needed before',
      described({ security: [{ apiKey: [] }] }),
      'POST /things needs a key now',
    ],
    ['a removed status', described({ responses: { 201: {} } }), 'POST /things no longer answers 200'],
    ['a removed parameter', described({ parameters: [] }), 'POST /things no longer takes query limit'],
    [
      'a parameter that is required',
      described(limit({ required: true })),
      'POST /things needs query limit now',
    ],
    [
      'a lower maximum',
      described(limit({ schema: { type: 'integer', maximum: 50 } })),
      'POST /things query limit: maximum is narrower',
    ],
    [
      'another type',
      described(limit({ schema: { type: 'string' } })),
      'POST /things query limit: type integer is no longer taken',
    ],
    [
      'a field that is required',
      described({ body: object({ name: string, slug: string }, ['name', 'slug']) }),
      'POST /things request.slug is required now',
    ],
    ['a field that is no longer taken', described({ body: object({}) }), 'POST /things request.name is gone'],
    [
      'a pattern',
      described({ body: object({ name: { ...string, pattern: '^a' } }, ['name']) }),
      'POST /things request.name: pattern is another',
    ],
    ['fewer words', described({ body: object({ name: { ...string, enum: ['a'] } }, ['name']) }), ''],
    ['an answer without a field', described({ answer: object({}) }), 'POST /things 200.id is gone'],
    [
      'an answer that may lack a field',
      described({ answer: object({ id: string }) }),
      'POST /things 200.id is no longer always there',
    ],
    [
      'another type in an answer',
      described({ answer: object({ id: { type: 'integer' } }, ['id']) }),
      'POST /things 200.id: type integer is new',
    ],
    [
      'null in an answer',
      described({ answer: object({ id: { anyOf: [string, { type: 'null' }] } }, ['id']) }),
      '',
    ],
  ])('%s', (_, after, change) => {
    const found = breakingChanges(described(), after);
    if (change === '') expect(found).not.toEqual([]);
    else expect(found).toContain(change);
  });
});

describe('no client is broken by', () => {
  test.each<[string, object]>([
    ['nothing', described()],
    ['a new optional field', described({ body: object({ name: string, slug: string }, ['name']) })],
    ['a field that is no longer required', described({ body: object({ name: string }) })],
    ['a new field of an answer', described({ answer: object({ id: string, name: string }, ['id']) })],
    ['a higher maximum', described(limit({ schema: { type: 'integer', maximum: 500 } }))],
    ['a new operation', { paths: { ...described().paths, '/more': { get: { responses: {} } } } }],
  ])('%s', (_, after) => {
    expect(breakingChanges(described(), after)).toEqual([]);
  });
});
