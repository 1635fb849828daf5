import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEEPEST_NESTING, JsonWalker } from '../../../functions/files/type-detection/json-walker.ts';

function walk(text: string, chunkLength = text.length + 1) {
  const walker = new JsonWalker();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkLength) walker.write(bytes.subarray(at, at + chunkLength));
  return walker.end();
}

const isContainer = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object' && JSON.parse(text) !== null;
  } catch {
    return false;
  }
};

/** The expected class, computed with JSON.parse for each line. */
function expected(text: string) {
  if (isContainer(text)) return 'json';
  const lines = text.split('\n').filter((line) => /[^ \t\r]/.test(line));
  return lines.length >= 2 && lines.every(isContainer) ? 'ndjson' : undefined;
}

const punctuation = fc.constantFrom(...'{}[]",:\\\n\r\t -+.eE0123456789truefalsnx/\u0001é');
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat({ max: 2 }),
  paste: fc.string({ unit: punctuation, maxLength: 2 }),
});
const mutate = (text: string, mutations: readonly { at: number; cut: number; paste: string }[]) =>
  mutations.reduce((mutated, { at, cut, paste }) => {
    const index = Math.floor(at * mutated.length);
    return mutated.slice(0, index) + paste + mutated.slice(index + cut);
  }, text);
const json = fc.tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t')).map(([value, indent]) => {
  return JSON.stringify(value, null, indent);
});
const ndjson = fc.array(fc.jsonValue(), { maxLength: 4 }).map((values) => {
  return values.map((value) => JSON.stringify(value)).join('\n');
});

describe('the JSON walker agrees with JSON.parse', () => {
  test.each([json, ndjson])('on written texts and their mutations', (text) => {
    fc.assert(
      fc.property(
        text,
        fc.array(mutation, { maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (t, m, length) => {
          const mutated = mutate(t, m);
          expect(walk(mutated)).toBe(expected(mutated));
          expect(walk(mutated, length)).toBe(expected(mutated));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test('on punctuation', () => {
    fc.assert(
      fc.property(fc.string({ unit: punctuation, maxLength: 8 }), (text) => {
        expect(walk(`[${text}]`)).toBe(expected(`[${text}]`));
      }),
      { numRuns: 20_000 },
    );
  });
});

/** Together they pass through every state of the grammar. */
const WHOLE = [
  '{"\\"\\u09aF\\/": [-0.5e+10, -1.25, 12E-3, 0, 0e9, 7], "\\\\\\b\\f\\n\\r\\t" : {},\n "c":true\t, "d":false, "e":null}\r\n',
  '[ ]\t\n\r\n{ }\n [true,false, null ,"a", 10 ,{"b":2,"c":[]}] \r\n',
];

const BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

test.each(WHOLE)('agrees with JSON.parse on %j with any byte lost or changed', (text) => {
  const wrong: string[] = [];
  for (let at = 0; at < text.length; at++) {
    for (const byte of ['', ...BYTES]) {
      const changed = text.slice(0, at) + byte + text.slice(at + 1);
      const walker = new JsonWalker();
      // In Latin-1 each character is one byte.
      walker.write(Buffer.from(changed, 'latin1'));
      if (walker.end() !== expected(changed)) wrong.push(changed);
    }
  }
  expect(wrong).toEqual([]);
});

describe('nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each([1, 8, 512, 513, 100_000])('of %i levels is JSON', (depth) => {
    expect(walk(nested(depth))).toBe('json');
    expect(walk('{"a":'.repeat(depth) + '[]'.repeat(1) + '}'.repeat(depth))).toBe('json');
    expect(walk(`${nested(depth)}]`)).toBeUndefined();
    expect(walk(nested(depth).slice(1))).toBeUndefined();
  });

  test('is remembered level by level', () => {
    const kinds = Array.from({ length: 2_000 }, (_, level) => (level * 7_919) % 3 === 0);
    const opened = kinds.map((isObject) => (isObject ? '{"a":' : '[')).join('');
    const closed = kinds.map((isObject) => (isObject ? '}' : ']'));
    expect(walk(`${opened}1${closed.toReversed().join('')}`)).toBe('json');
    expect(walk(`${opened}1${closed.join('')}`)).toBeUndefined();
  });

  test('is followed to its limit and not past it', () => {
    expect(walk(nested(DEEPEST_NESTING))).toBe('json');
    expect(walk(nested(DEEPEST_NESTING + 1))).toBeUndefined();
    expect(walk(nested(DEEPEST_NESTING + 1).slice(0, -1))).toBeUndefined();
  });
});

test('a violation is final', () => {
  const walker = new JsonWalker();
  expect(walker.write(Buffer.from('[1,]'))).toBe(false);
  expect(walker.write(Buffer.from('[1]'))).toBe(false);
  expect(walker.end()).toBeUndefined();
});
