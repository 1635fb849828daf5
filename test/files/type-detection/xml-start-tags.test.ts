import { describe, expect, test } from '@jest/globals';
import { startTags } from '../../../functions/files/type-detection/office-package.ts';

const read = (xml: string) =>
  [...startTags(xml)]
    .filter((tag) => tag !== undefined)
    .map(({ name, attributes }) => ({ name, ...Object.fromEntries(attributes) }));

describe('start tags', () => {
  test.each([
    ['<a/>', [{ name: 'a' }]],
    ['<x:a b="1" x:c=\'"2"\'>text</x:a>', [{ name: 'a', b: '1', 'x:c': '"2"' }]],
    ['<?xml version="1.0"?>\n<a>\n<b\n c = "1"\n/></a>', [{ name: 'a' }, { name: 'b', c: '1' }]],
    ['<a b="x > y"/>', [{ name: 'a', b: 'x > y' }]],
    ['<!-- <a/> --><b/><!-- <c/>', [{ name: 'b' }]],
    [`<a ${'b'.repeat(64)}="1"/>`, [{ name: 'a', ['b'.repeat(64)]: '1' }]],
  ])('of %s are read', (xml, tags) => {
    expect(read(xml)).toEqual(tags);
  });

  test.each([
    '',
    '<',
    '< a/>',
    '</a>',
    '<a',
    '<a b>',
    '<a b="1>',
    '<a b="1"c="2"/>',
    '<a b="<"/>',
    '<a / >',
    `<a ${'b'.repeat(65)}="1"/>`,
  ])('%j has none', (xml) => {
    expect(read(xml)).toEqual([]);
  });

  test('have up to 16 attributes', () => {
    const tagOf = (count: number) =>
      `<a${Array.from({ length: count }, (_, index) => ` b${index}=""`).join('')}/>`;
    expect(read(tagOf(16))).toHaveLength(1);
    expect(read(tagOf(17))).toEqual([]);
  });

  test('that are broken do not hide the next one', () => {
    expect(read('<a b="<c d="1"/><e f=\'<g/>')).toEqual([{ name: 'c', d: '1' }, { name: 'g' }]);
  });
});
