import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'webhooks.md'), 'utf8');
/** A link to a file and, after it, the file. */
const QUOTE = /\[([\w.-]+)\]\(webhooks\/\1\)[^\n]*\n+```\w+\n([\s\S]*?)```\n/g;

test('docs/webhooks.md quotes every sample, and each as it is', () => {
  const quoted = [...page.matchAll(QUOTE)].map(([, file, text]) => [file, text]);
  const files = readdirSync(join(docs, 'webhooks')).sort();
  expect(Object.fromEntries(quoted)).toEqual(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(docs, 'webhooks', file), 'utf8')])),
  );
});
