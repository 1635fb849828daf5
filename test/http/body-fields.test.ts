import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { onUnknownField } from '../../functions/http/call.ts';
import { readFields } from '../../functions/http/schema-fields.ts';
import { jsonObject } from '../../functions/http/validation.ts';

const schema = v.object({
  name: v.string(),
  duration: v.exactOptional(v.number()),
  note: v.optional(v.nullable(v.string()), null),
  list: v.optional(
    v.array(
      v.variant('type', [
        v.object({ type: v.literal('a'), a: v.exactOptional(v.string()) }),
        v.object({ type: v.literal('b'), b: v.exactOptional(v.string()) }),
      ]),
    ),
    [],
  ),
  options: v.optional(jsonObject(v.object({ free: v.optional(v.record(v.string(), v.any())) })), {}),
});

function read(body: unknown) {
  const warnings: string[] = [];
  return { value: readFields(schema, body, (warning) => warnings.push(warning)), warnings };
}

describe('a field that is null', () => {
  test.each([
    ['is left out if it is optional', { name: 'n', duration: null, list: null }, { name: 'n' }],
    ['stays if null has a meaning', { name: 'n', note: null }, { name: 'n', note: null }],
    ['stays if it is required', { name: null }, { name: null }],
    ['is left out within objects of an array', { list: [{ type: 'a', a: null }] }, { list: [{ type: 'a' }] }],
    ['is left out within an object', { options: { free: null } }, { options: {} }],
    [
      'stays if any names are allowed',
      { options: { free: { x: null } } },
      { options: { free: { x: null } } },
    ],
  ])('%s', (_, body, value) => {
    expect(read(body)).toEqual({ value, warnings: [] });
  });
});

describe('for a caller who is strict', () => {
  const told = (strict: string | undefined, warnings: string[] = []) => ({
    warnings,
    tell: onUnknownField({ headers: { 'x-genway-strict': strict }, warnings }),
  });

  test.each(['true', 'True'])('an unknown field is refused by its name: %s', (strict) => {
    const { tell } = told(strict);
    expect(() => readFields(schema, { list: [{ type: 'b', a: 1 }] }, tell)).toThrow(
      expect.objectContaining({
        status: 400,
        message: 'list.0.a is not a field of this operation',
        metadata: { path: 'list.0.a' },
      }),
    );
    expect(readFields(schema, { name: 'n', duration: null }, tell)).toEqual({ name: 'n' });
  });

  test.each([undefined, 'false', ''])('only if the header says so: %j', (strict) => {
    const { tell, warnings } = told(strict);
    readFields(schema, { durations: 4 }, tell);
    expect(warnings).toEqual(['durations is not a field of this operation; did you mean duration?']);
  });
});

describe('an unknown field', () => {
  test.each([
    [{ durations: 4 }, ['durations is not a field of this operation; did you mean duration?']],
    [{ whatever: { a: 1 } }, ['whatever is not a field of this operation']],
    [{ options: { fre: {} } }, ['options.fre is not a field of this operation; did you mean free?']],
    [{ list: [{ type: 'b', a: 1 }] }, ['list.0.a is not a field of this operation']],
    [{ options: { free: { x: 1 } } }, []],
    [{ toString: 1 }, ['toString is not a field of this operation']],
  ])('of %j is reported, and stays in the body', (body, warnings) => {
    expect(read(body)).toEqual({ value: body, warnings });
  });

  test('is reported with a name that fits into a header; of many fields only some are', () => {
    const { warnings } = read({ 'é\r\nx': 1, ['long'.repeat(50)]: 2, c: 1, d: 1, e: 1, f: 1 });
    expect(warnings).toHaveLength(5);
    expect(warnings[0]).toMatch(/^\?{3}x is not/);
    expect(warnings[1]).toMatch(/^(long){16} is not/);
  });
});

test('a body without a schema stays unchanged', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((name) => !['name', 'duration', 'note', 'list', 'options'].includes(name)),
        fc.jsonValue(),
      ),
      (body) => {
        const { value } = read({ name: 'n', ...body });
        expect(value).toEqual({ name: 'n', ...body });
      },
    ),
  );
});
