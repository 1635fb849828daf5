import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { settingsReference } from '../../lib/stage/reference.ts';
import { settingEntries } from '../../lib/stage/schema.ts';

const page = readFileSync('docs/configuration.md', 'utf8');

test('docs/configuration.md lists the settings as they are; renew it with node lib/stage/write-reference.ts', () => {
  expect(page.slice(page.indexOf('\n## ') + 1)).toBe(`${settingsReference()}\n`);
});

test.each(Object.keys(settingEntries))('%s is explained', (name) => {
  expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| .+ \\| .+ \\| \\w?.{8,} \\|$`, 'm'));
});
