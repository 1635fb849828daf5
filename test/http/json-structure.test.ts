import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { checkStructure } from '../../functions/http/json-body.ts';

const nested = (levels: number, open = '[', close = ']') =>
  `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;

describe('nesting', () => {
  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('of %s may be 32 levels deep and not one more', (_, open, close) => {
    expect(() => checkStructure(nested(32, open, close))).not.toThrow();
    expect(() => checkStructure(nested(33, open, close))).toThrow('32 levels');
  });

  test('only counts open brackets outside strings', () => {
    expect(() => checkStructure(`{"a":"\\"${'['.repeat(100)}"}`)).not.toThrow();
    expect(() => checkStructure(`{"a":[${'[],'.repeat(100)}1]}`)).not.toThrow();
  });

  test('of half a million brackets is refused without reading the rest', () => {
    expect(() => checkStructure('['.repeat(500_000))).toThrow(InvalidRequest);
  });
});

describe('an object', () => {
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"a${index}":0`).join(',')}}`;

  test('may have 1,000 members and not one more, at any depth', () => {
    expect(() => checkStructure(members(1000))).not.toThrow();
    expect(() => checkStructure(`[${members(1000)},${members(1000)}]`)).not.toThrow();
    expect(() => checkStructure(members(1001))).toThrow('1000 members');
    expect(() => checkStructure(`{"a":[${members(1001)}]}`)).toThrow(InvalidRequest);
  });
});

describe('a body', () => {
  const list = (count: number, value: string) => `{"a":[${new Array(count).fill(value).join(',')}]}`;

  test.each([
    ['numbers', (count: number) => list(count - 2, '-1.5e3')],
    ['literals', (count: number) => list(count - 2, 'true')],
    ['strings', (count: number) => list(count - 2, '",:[\\""')],
    ['empty lists', (count: number) => list(count - 2, ' [ ] ')],
    ['members', (count: number) => list((count - 2) / 2, '{"a" : "b"}')],
    ['lists', (count: number) => list((count - 2) / 2, '[0]')],
  ])('may hold 10,000 values and not one more: %s', (_, make) => {
    expect(() => checkStructure(make(10_000))).not.toThrow();
    expect(() => checkStructure(`[${make(10_000)}]`)).toThrow('10000 values');
  });
});

describe('a duplicate member', () => {
  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":{"b":1,"b":2}}', 'a.b'],
    ['{"a":[{"b":1},{"c":{},"c":{}}]}', 'a.1.c'],
    ['{"a":[[1,2],[3,{"b":1,"b":1}]]}', 'a.1.1.b'],
    ['{"a":{"x":[{}]},"b":{"y":0,"y":0}}', 'b.y'],
    [`{"${'n'.repeat(65)}":1,"${'n'.repeat(65)}":1}`, `${'n'.repeat(64)}…`],
  ])('is refused and named: %s', (text, path) => {
    expect(() => checkStructure(text)).toThrow(
      expect.objectContaining({ message: `${path}: must not appear twice`, metadata: { path } }),
    );
  });

  test.each([
    '{"a":1,"b":1}',
    '{"a":"a","b":["a","a"]}',
    '{"a":{"a":{"a":1}}}',
    '{"a":[{"a":1},{"a":1}]}',
    '{"a":"b\\":1,\\"a","b":2}',
    '{"a\\\\":1,"a":2}',
  ])('is not reported if there is none: %s', (text) => {
    expect(() => checkStructure(text)).not.toThrow();
  });

  test('is found in any object, wherever it is put', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
        fc.nat(),
        (value, nth) => {
          const members = Object.entries(value).map(
            ([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`,
          );
          expect(() => checkStructure(`{${members.join(',')}}`)).not.toThrow();
          const repeated = [...members, members[nth % members.length]];
          expect(() => checkStructure(`{${repeated.join(',')}}`)).toThrow('must not appear twice');
        },
      ),
    );
  });

  test('in text that is not JSON does not break the check', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]:,"\\a1 '), { maxLength: 40 }), (characters) => {
        try {
          checkStructure(characters.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest);
        }
      }),
    );
  });
});
