import { expect, test } from '@jest/globals';
import { csvOf } from '../../../console/usage/csv.ts';

test.each([
  ['plain text and numbers', ['2030-01-31', 0.5, -1], '2030-01-31,0.5,-1\r\n'],
  ['what separates cells and rows', ['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  ['what a spreadsheet would run', ['=1+1', '@SUM(A1)', '+1', '-1'], "'=1+1,'@SUM(A1),'+1,'-1\r\n"],
])('%s', (_, row, csv) => {
  expect(csvOf([row])).toBe(csv);
});
