import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };

const MAP = 'docs/README.md';
const linked = [...readFileSync(MAP, 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, to = '']) =>
  posix.join('docs', to),
);
const pages = globSync(['docs/*.md', 'docs/guides/*.md']).filter((page) => page !== MAP);

test.each(pages)('the map of the documentation leads to %s, once', (page) => {
  expect(linked.filter((to) => to === page)).toEqual([page]);
});

describe('the version', () => {
  const texts = globSync(['*.md', 'docs/**/*.md', 'bin/**/*.md']).filter((file) => file !== 'CHANGELOG.md');

  test.each(texts)('in %s is that of package.json', (file) => {
    const told = readFileSync(file, 'utf8').match(/(?<=genway(-cdk)?-)\d+\.\d+\.\d+(?=\.tgz)/g) ?? [];
    expect(told.filter((version) => version !== manifest.version)).toEqual([]);
  });
});
