import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const ROW = /^\|[^|]*\|[^|]*\|([^|]*)\|$/gm;
/** The last column of the glossary, without its head and its rule. */
const REFUSED = [...read('docs/glossary.md').matchAll(ROW)]
  .flatMap(([, phrases = '']) => phrases.split(',').map((phrase) => phrase.trim()))
  .filter((phrase) => phrase !== '' && phrase !== 'not' && !phrase.startsWith('-'));
const TEXTS = ['docs/openapi.yaml', ...globSync(['console/**/*.tsx', 'bin/**/*.ts'], { cwd: ROOT })];
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

test('the glossary refuses phrases', () => {
  expect(REFUSED).toContain('starts anew');
  expect(TEXTS.length).toBeGreaterThan(50);
});

test.each(REFUSED)('no text that people read says “%s”', (phrase) => {
  const sentence = new RegExp(phrase.replaceAll(' ', '\\s+'), 'i');
  expect(TEXTS.filter((file) => sentence.test(read(file).replaceAll(COMMENT, '')))).toEqual([]);
});
