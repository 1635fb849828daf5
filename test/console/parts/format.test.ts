import { expect, test } from '@jest/globals';
import { present } from '../../../console/api/client.ts';
import {
  byteSize,
  dateTime,
  exactTime,
  percent,
  seconds,
  usd,
  words,
} from '../../../console/parts/format.ts';

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [104_857_600, '100.0 MiB'],
  [1024 ** 3 * 10, '10.0 GiB'],
  [1024 ** 5 * 3, '3072.0 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.04, '$0.04'],
  [0.000001, '$0.000001'],
  [1234.5, '$1,234.50'],
])('%d USD are %s', (amount, text) => {
  expect(usd(amount)).toBe(text);
});

test('a length has a tenth at most', () => {
  expect([seconds(4), seconds(4.04), seconds(0.25)]).toEqual(['4 s', '4 s', '0.3 s']);
});

test.each([
  [0, '0%'],
  [0.9876, '98.8%'],
  [1, '100%'],
])('%d is %s', (part, text) => {
  expect(percent(part)).toBe(text);
});

test('a moment is in the reader’s time and names its zone, a day is in UTC', () => {
  const moment = '2026-11-27T05:29:23Z';
  expect(Date.parse(dateTime(moment))).toBe(Date.parse(moment));
  const zone = Intl.DateTimeFormat('en-GB', { timeZoneName: 'long' }).formatToParts(new Date(moment));
  expect(exactTime(moment)).toContain(zone.find(({ type }) => type === 'timeZoneName')?.value);
  expect([dateTime('2026-11-01'), exactTime('2026-11-01')]).toEqual(['1 Nov 2026', '1 Nov 2026, UTC']);
});

test('a name is read as words', () => {
  expect(words('in_progress')).toBe('in progress');
});

test('what is undefined is left out, and nothing else', () => {
  expect(present({ a: undefined, b: null, c: 0, d: '' })).toEqual({ b: null, c: 0, d: '' });
});
