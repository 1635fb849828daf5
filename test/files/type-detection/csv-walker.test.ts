import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvWalker } from '../../../functions/files/type-detection/csv-walker.ts';

function walk(text: string, delimiter: ',' | ';' = ',', chunkLength = text.length + 1): boolean {
  const walker = new CsvWalker(delimiter);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkLength) walker.write(bytes.subarray(at, at + chunkLength));
  return walker.end();
}

describe('CSV', () => {
  test.each([
    'a,b\nc,d',
    'a,b\nc,d\n',
    'a,b\r\nc,d\r\n',
    'a,b\nc,d\n\n\r\n',
    ',\n,',
    'a,"b"\r\n"c","d"\r\n',
    '"a\n,""b""",c\n"",""\n',
  ])('is %j', (text) => {
    expect(walk(text)).toBe(true);
  });

  test.each([0, 1, 31, 32, 33, 34, 1000])('has quoted fields of %i characters', (length) => {
    const record = `"${'x'.repeat(length)}","${',\n'.repeat(length)}"\n`;
    for (const chunkLength of [1, 31, 32, 33, 10_000]) {
      expect(walk(record.repeat(2), ',', chunkLength)).toBe(true);
      expect(walk(`${record}"x",y,z\n`, ',', chunkLength)).toBe(false);
    }
  });

  test.each([0, 1, 11, 12, 13, 15, 16, 17, 267, 268, 269, 1000])('has fields of %i characters', (length) => {
    const record = `${'x'.repeat(length)},${';'.repeat(length)}\n`;
    for (const chunkLength of [1, 31, 32, 33, 10_000]) {
      expect(walk(record.repeat(3), ',', chunkLength)).toBe(true);
      expect(walk(`${record.repeat(2)}x${record.replace(',', ',"')}`, ',', chunkLength)).toBe(false);
      expect(walk(`${record.repeat(2)}y${'x'.repeat(length)}\n`, ',', chunkLength)).toBe(false);
    }
  });

  test.each([
    ['nothing', ''],
    ['blank lines', '\n\n'],
    ['one record', 'a,b\n'],
    ['one field', 'a\nb\n'],
    ['a longer record', 'a,b\nc,d,e\n'],
    ['a shorter record', 'a,b,c\nd,e\n'],
    ['a shorter last record', 'a,b\nc,d\ne'],
    ['a blank line between records', 'a,b\n\nc,d\n'],
    ['an open quote', 'a,b\n"c,d\n'],
    ['a quote inside a field', 'a,b\nc"c,d\n'],
    ['a quoted part of a field', 'a,b\nc"c",d\n'],
    ['text after a closing quote', 'a,b\n"c"c,d\n'],
    ['a lone carriage return after a closing quote', 'a,"b"\rc,d\n'],
    ['the other delimiter', 'a;b\nc;d\n'],
  ])('is not %s', (_, text) => {
    expect(walk(text)).toBe(false);
  });

  test('may have semicolons instead', () => {
    expect(walk('a;b,c\n"d;";e\n', ';')).toBe(true);
    expect(walk('a,b\nc,d\n', ';')).toBe(false);
  });

  const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r', 'é') });
  const table = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }))
    .chain(([rows, columns]) => {
      const row = fc.array(cell, { minLength: columns, maxLength: columns });
      return fc.array(row, { minLength: rows, maxLength: rows });
    });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const writeCsv = (rows: string[][], delimiter: string, lineEnd: string) =>
    rows.map((row) => row.map(quote).join(delimiter)).join(lineEnd);

  test('is what any RFC 4180 writer writes, in any chunks, and no more with a field left out', () => {
    const delimiters = fc.constantFrom(',' as const, ';' as const);
    const lineEnds = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(
        table,
        delimiters,
        lineEnds,
        fc.integer({ min: 1, max: 9 }),
        (rows, delimiter, end, length) => {
          expect(walk(writeCsv(rows, delimiter, end), delimiter, length)).toBe(true);
          const uneven = [...rows.slice(0, -1), rows.at(-1)!.slice(1)];
          expect(walk(writeCsv(uneven, delimiter, end), delimiter, length)).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
