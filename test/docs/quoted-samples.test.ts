import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const docs = join(import.meta.dirname, '../../docs');
/** A link to a file, followed by the file's text. */
const QUOTE = /\[([\w.-]+)\]\(([\w-]+)\/\1\)[^\n]*\n+```\w+\n([\s\S]*?)```\n/g;

test.each(['webhooks', 'adding-a-provider'])('docs/%s.md quotes every sample, and each as it is', (name) => {
  const page = readFileSync(join(docs, `${name}.md`), 'utf8');
  const quotes = [...page.matchAll(QUOTE)].filter(([, , folder]) => folder === name);
  const files = readdirSync(join(docs, name)).sort();
  expect(Object.fromEntries(quotes.map(([, file, , text]) => [file, text]))).toEqual(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(docs, name, file), 'utf8')])),
  );
});
