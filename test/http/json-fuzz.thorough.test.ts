import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type * as v from 'valibot';
import { ApiError, InvalidRequest } from '../../functions/http/errors.ts';
import { parseJsonBody } from '../../functions/http/json-body.ts';
import { errorResponse } from '../../functions/http/response.ts';
import { validate } from '../../functions/http/validation.ts';
import { keyChangeSchema, newKeySchema } from '../../functions/keys/key-requests.ts';
import { grantSchema } from '../../functions/money/credits.ts';
import { newProviderKeySchema, providerKeyChangeSchema } from '../../functions/provider-keys/provider-key.ts';
import { videoRequestSchema } from '../../functions/videos/catalogue/video-request.ts';
import { budgetSchema } from '../../functions/workspaces/budget.ts';
import { newWorkspaceSchema, workspaceChangeSchema } from '../../functions/workspaces/workspace.ts';
import {
  refusedField,
  VIDEO_CORRUPTIONS,
  videoBody,
  WORKSPACE_CORRUPTIONS,
  workspaceBody,
} from './request-bodies.ts';

const SEED = 20_261_121;
const BODIES = 1_500;

const endpoints: [string, v.GenericSchema, fc.Arbitrary<object>, [string, unknown[]][]][] = [
  ['POST /workspaces', newWorkspaceSchema, workspaceBody, WORKSPACE_CORRUPTIONS],
  ['POST /videos', videoRequestSchema, videoBody, VIDEO_CORRUPTIONS],
];

const read = (schema: v.GenericSchema, body: Uint8Array) =>
  validate(schema, parseJsonBody(body, 'application/json'));

/** A body in which some bytes are changed, removed or added. */
const mutated = (body: fc.Arbitrary<object>) =>
  fc
    .tuple(
      body,
      fc.array(
        fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...Buffer.from('{}[]":,\\u0e-\n\0\xff'))),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    )
    .map(([value, changes]) => {
      const bytes = [...Buffer.from(JSON.stringify(value))];
      for (const [at, removed, byte] of changes) bytes.splice(at % bytes.length, removed, byte);
      return Uint8Array.from(bytes);
    });

/** Objects with a body's field names and arbitrary JSON values. */
const misfit = (fields: readonly string[]) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), fc.jsonValue({ noUnicodeString: false }))
    .map((value) => Buffer.from(JSON.stringify(value)));

describe.each(endpoints)('a body of %s', (_, schema, body, corruptions) => {
  const fields = corruptions.map(([path]) => path.split('.')[0] ?? path);

  test('that is valid is accepted, and unknown fields are ignored', () => {
    fc.assert(
      fc.property(body, (value) => {
        const written = Buffer.from(JSON.stringify({ ...value, unknown: { deep: [value] } }));
        expect(read(schema, written)).toStrictEqual(validate(schema, value));
        expect(read(schema, written)).not.toHaveProperty('unknown');
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test('is accepted or refused with a proper error, for any content', () => {
    fc.assert(
      fc.property(fc.oneof(mutated(body), misfit(fields), fc.uint8Array()), (bytes) => {
        try {
          read(schema, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          const answer = errorResponse(error as ApiError);
          expect(answer.status).toBe(400);
          expect(JSON.parse(answer.body)).toHaveProperty('error.metadata.error_type', 'invalid_request');
        }
      }),
      { seed: SEED, numRuns: BODIES },
    );
  });

  test.each(corruptions)('with a wrong %s is refused, and the error names it', (path, values) => {
    fc.assert(
      fc.property(body, fc.constantFrom(...values), (value, wrong) => {
        const corrupted = Buffer.from(JSON.stringify(replaced(value, path.split('.'), wrong)));
        const refusal = expect.objectContaining({
          message: expect.stringMatching(new RegExp(`^${path}: (must|is required)`)),
          metadata: wrong === undefined ? { path } : refusedField(path),
        });
        expect(() => read(schema, corrupted)).toThrow(refusal);
        expect(() => read(schema, corrupted)).toThrow(InvalidRequest);
      }),
      { seed: SEED, numRuns: values.length * 10 },
    );
  });
});

describe.each<[string, v.GenericSchema & { readonly entries: object }]>([
  ['POST /keys', newKeySchema],
  ['PATCH /keys/{hash}', keyChangeSchema],
  ['PATCH /workspaces/{workspace}', workspaceChangeSchema],
  ['PUT /workspaces/{workspace}/budgets/{interval}', budgetSchema],
  ['POST /credits', grantSchema],
  ['POST /byok', newProviderKeySchema],
  ['PATCH /byok/{id}', providerKeyChangeSchema],
])('a body of %s', (_, schema) => {
  test('is accepted, or refused with the name of a field, for any content', () => {
    fc.assert(
      fc.property(misfit(Object.keys(schema.entries)), (bytes) => {
        try {
          read(schema, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest);
          const { path } = (error as InvalidRequest).metadata;
          expect(Object.keys(schema.entries)).toContain(String(path).split('.')[0]);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});

/** A copy with another value at this path. `undefined` removes the field. */
function replaced(value: unknown, [name, ...rest]: string[], wrong: unknown): unknown {
  if (name === undefined) return wrong;
  const index = Number(name);
  if (!Array.isArray(value))
    return { ...(value as object), [name]: replaced(Object(value)[name], rest, wrong) };
  return value.map((element, i) => (i === index ? replaced(element, rest, wrong) : element));
}
